/* SPDX-License-Identifier: MIT */
#include "io/import/anomaly.h"

const struct anomaly_kind anomaly_kinds[ANOMALIES] = {
	[ANOMALY_RECORD] = { "record", "records that are none of the format were skipped", true },
	[ANOMALY_NUMBER] = { "number", "records were skipped, as a number in them is none, or beyond 64 bits", true },
	[ANOMALY_PHASE] = { "phase", "events of kinds that have no place here (flows, asynchronous ones, samples) were "
				     "skipped", false },
	[ANOMALY_UNNAMED] = { "unnamed", "records name an id that was never registered, which stands as its name", false },
	[ANOMALY_END_ALONE] = { "end_alone", "ends of zones were skipped, as none was open", true },
	[ANOMALY_MISMATCH] = { "mismatch", "ends name another zone than the one that was open, which was ended", false },
	[ANOMALY_OPEN] = { "open", "zones were still open at the end, and last until their thread's last time", false },
	[ANOMALY_OVERLAP] = { "overlap", "calls lie across one another, and the one was cut that loses less by it",
			      false },
	[ANOMALY_TIME_BACK] = { "time_back", "times lie before the one before, which was taken", false },
	[ANOMALY_TIME_RANGE] = { "time_range", "times are out of range, and the nearest possible one was taken", true },
	[ANOMALY_ROUNDED] = { "rounded", "times, or values, have more digits than are kept, and were rounded", false },
	[ANOMALY_NAME_CUT] = { "name_cut", "names, or notes, were cut, as they are too long", false },
	[ANOMALY_NAME_NUL] = { "name_nul", "names have NUL characters, which became the bytes c0 80", false },
	[ANOMALY_DEEP] = { "deep", "calls were left out, as too many zones were open: their time is the zone's above",
			   true },
	[ANOMALY_MANY] = { "many", "records were left out, as there are too many names, threads, paths, frames or notes",
			   true },
	[ANOMALY_FRAME] = { "frame", "frames lie across one another, or before the one before, and were cut; or they "
				"have no length, and were left out", false },
	[ANOMALY_NO_FRAME] = { "no_frame", "nothing has the name that was to split the frames", false },
	[ANOMALY_SYNTAX] = { "syntax", "from here on the file is not what it was before, and was not read", true },
	[ANOMALY_CUT] = { "cut", "the file ends in the middle", true },
	[ANOMALY_REST] = { "rest", "bytes follow behind the end, and were not read", false },
	[ANOMALY_STOPPED] = { "stopped", "reading was stopped here, and what follows is not known", true },
};

void anomaly_add(struct anomalies *a, enum anomaly kind, uint64_t at)
{
	if (a->counts[kind]++ < ANOMALIES_TOLD / 10 && a->told < ANOMALIES_TOLD && at != ANOMALY_NOWHERE)
		a->places[a->told++] = (struct anomaly_place){ kind, at };
}

uint64_t anomalies_total(const struct anomalies *a)
{
	uint64_t total = 0;

	for (int kind = 0; kind < ANOMALIES; kind++)
		total += a->counts[kind];
	return total;
}
