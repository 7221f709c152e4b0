/* SPDX-License-Identifier: MIT */
/*
 * anomaly: what was wrong in a file that was imported: how often, by kind, and where first.
 */
#ifndef IO_ANOMALY_H
#define IO_ANOMALY_H

#include <stdbool.h>
#include <stdint.h>

enum anomaly {
	ANOMALY_RECORD,   /* a line, or an event, that is none of the format */
	ANOMALY_NUMBER,
	ANOMALY_MEMBER,
	ANOMALY_TOKEN,
	ANOMALY_PHASE,
	ANOMALY_UNNAMED,
	ANOMALY_END_ALONE,
	ANOMALY_MISMATCH,
	ANOMALY_OPEN,
	ANOMALY_OVERLAP,
	ANOMALY_TOUCH,
	ANOMALY_TIME_BACK,
	ANOMALY_TIME_RANGE,
	ANOMALY_ROUNDED,
	ANOMALY_TWO_COUNTS,
	ANOMALY_NAME_CUT,
	ANOMALY_NAME_NUL,
	ANOMALY_DEEP,
	ANOMALY_MANY,
	ANOMALY_FRAME,
	ANOMALY_NO_FRAME,
	ANOMALY_SYNTAX,
	ANOMALY_LONG,
	ANOMALY_CUT,
	ANOMALY_DAMAGED,
	ANOMALY_CHECKSUM,
	ANOMALY_REST,
	ANOMALIES
};

struct anomaly_kind {
	const char *key;      /* of JSON */
	const char *sentence; /* what it is, and what was done */
	bool loses;           /* something of the file is not in the figures, or a time is not as it was */
};

extern const struct anomaly_kind anomaly_kinds[ANOMALIES];

#define ANOMALIES_TOLD 1000u /* have a place; of one kind at most a tenth */

struct anomaly_place {
	enum anomaly kind;
	uint64_t at; /* line from 1, or byte from 0 */
};

struct anomalies {
	uint64_t counts[ANOMALIES];
	bool lines; /* places are lines, else bytes */
	uint32_t told;
	struct anomaly_place places[ANOMALIES_TOLD]; /* as they were found */
};

#define ANOMALY_NOWHERE UINT64_MAX /* it has no place */

void anomaly_add(struct anomalies *a, enum anomaly kind, uint64_t at);
uint64_t anomalies_total(const struct anomalies *a);

#endif
