/* SPDX-License-Identifier: MIT */
#include "io/import/import.h"

const struct anomaly_kind anomaly_kinds[ANOMALIES] = {
	[ANOMALY_RECORD] = { "record", "records that are not of the format were skipped", true },
	[ANOMALY_NUMBER] = { "number", "records were skipped, because a number in them is not one, or exceeds 64 "
	                               "bits", true },
	[ANOMALY_MEMBER] = { "member", "members of records have a type that they cannot have, or are missing, and were "
	                               "left out", true },
	[ANOMALY_TOKEN] = { "token", "words, escapes or control characters that JSON does not know were read as text, "
	                             "missing values as null", false },
	[ANOMALY_PHASE] = { "phase", "events of kinds that proftop does not read (flows, asynchronous ones, "
	                             "samples) were skipped", false },
	[ANOMALY_UNNAMED] = { "unnamed", "records name an id that was never registered; the id became the name", false },
	[ANOMALY_END_ALONE] = { "end_alone", "ends of zones were skipped, because no zone was open that they could end", true },
	[ANOMALY_MISMATCH] = { "mismatch", "ends name another zone than the innermost open one, which ended with them", false },
	[ANOMALY_OPEN] = { "open", "zones never end; each lasts until the call around it ends, or until the last time of "
	                     "its thread", false },
	[ANOMALY_OVERLAP] = { "overlap", "calls overlap by more than a microsecond, and the one that loses less was cut",
			      true },
	[ANOMALY_TOUCH] = { "touch", "calls overlap by a microsecond or less, as rounded times do, and one was cut",
			    false },
	[ANOMALY_TIME_BACK] = { "time_back", "times go back; the previous time was used", true },
	[ANOMALY_TIME_RANGE] = { "time_range", "times are out of range; the nearest possible time was used", true },
	[ANOMALY_ROUNDED] = { "rounded", "times or values have too many digits, and were rounded", false },
	[ANOMALY_TWO_COUNTS] = { "two_counts", "lines end in two numbers, which were read as the counts of two "
					 "profiles; the second was used", false },
	[ANOMALY_NAME_CUT] = { "name_cut", "names or notes are too long, and were cut", false },
	[ANOMALY_NAME_NUL] = { "name_nul", "names contain NUL characters, which became the bytes c0 80", false },
	[ANOMALY_DEEP] = { "deep", "calls were left out, because too many zones were open; their caller has their "
	                           "time",
			   true },
	[ANOMALY_MANY] = { "many", "records were left out, because there are too many names, threads, paths, frames "
	                           "or notes",
			   true },
	[ANOMALY_FRAME] = { "frame", "frames overlap or go back, and were cut; or they have no length, and were "
	                             "left out", true },
	[ANOMALY_NO_FRAME] = { "no_frame", "nothing has the name that should split the frames", false },
	[ANOMALY_SYNTAX] = { "syntax", "from here on the file is not of the format, and was not read", true },
	[ANOMALY_LONG] = { "long", "a text, or white space, exceeds 16 MiB; nothing was read from here on", true },
	[ANOMALY_CUT] = { "cut", "the file ends in the middle", true },
	[ANOMALY_DAMAGED] = { "damaged", "the packed data is damaged; nothing was read from here on", true },
	[ANOMALY_CHECKSUM] = { "checksum", "the checksum of the packed data does not match; nothing was read from here "
	                                   "on", true },
	[ANOMALY_REST] = { "rest", "bytes follow after the end, perhaps another trace, and were not read", true },
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
