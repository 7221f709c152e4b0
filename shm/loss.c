/* loss.c: the causes of loss, as keys for machines and sentences for people. */
#include "shm/snapshot.h"

static const struct {
	const char *key, *text;
} causes[LOSS_CAUSES] = {
	[LOSS_END_WITHOUT_BEGIN] = { "end_without_begin", "an end with no zone open (Prof_End without Prof_Begin)" },
	[LOSS_TOO_DEEP] = { "too_deep", "a zone deeper than 2,048 levels" },
	[LOSS_NODE_ROOM] = { "node_room", "a zone whose node had no space (raise PROF_SHM_SIZE)" },
	[LOSS_THREAD_ROOM] = { "thread_room", "a zone or value of a thread for which there was no space (raise "
	                                      "PROF_SHM_SIZE)" },
	[LOSS_ZONE_ROOM] = { "zone_room", "a zone or name that had no space in the tables (raise PROF_SHM_SIZE)" },
	[LOSS_IN_HANDLER] = { "in_handler", "a zone or value in a signal handler that interrupted libprof" },
	[LOSS_AFTER_THREAD_END] = { "after_thread_end", "a zone or value in a destructor, after its thread had ended" },
	[LOSS_MARK_BUSY] = { "mark_busy", "a frame mark while another one was being set" },
	[LOSS_FRAME_BOUNDS] = { "frame_bounds", "a frame begun inside a frame, or ended outside of one" },
	[LOSS_LEFT_OPEN] = { "left_open", "a zone that was not closed at a frame mark or at the end of its thread "
	                                  "(its end is missing, or was jumped over)" },
	[LOSS_PART_ROOM] = { "part_room", "a slice, what one thread did in a frame, that had no space (raise "
	                                  "PROF_SHM_SIZE)" },
	[LOSS_EVENT_ROOM] = { "event_room", "an event that had no space (raise PROF_SHM_SIZE)" },
	[LOSS_WORST_ROOM] = { "worst_room", "a slice of a slow frame that could not be retained (raise "
	                                    "PROF_SHM_SIZE)" },
	[LOSS_FRAMES_MERGED] = { "frames_merged", "a frame merged with others, because its thread slept through the "
	                                          "history of marks" },
	[LOSS_CLOCK_BACK] = { "clock_back", "a clock reading that went back" },
	[LOSS_MEMORY] = { "memory", "a zone or value for which the program had no memory" },
	[LOSS_COUNTER_ROOM] = { "counter_room", "a value of a counter that had no space in the tables (raise "
	                                        "PROF_SHM_SIZE)" },
	[LOSS_MEASURE_ROOM] = { "measure_room", "a value of a measure, such as allocated bytes, that had no space (raise "
	                                        "PROF_SHM_SIZE)" },
	[LOSS_NOT_A_NUMBER] = { "not_a_number", "a value of a counter that is not a finite number" },
	[LOSS_VALUE_ROOM] = { "value_room", "a counter's value in a frame, an event or a note that had no space "
	                                    "(raise PROF_SHM_SIZE)" },
	[LOSS_NOTE_CUT] = { "note_cut", "a note longer than 1,000 bytes, whose end was cut off" },
	[LOSS_HOURS_ROOM] = { "hours_room", "a slice of the longest frame of many that could not be retained (raise "
	                                    "PROF_SHM_SIZE)" },
	[LOSS_CALLS_ROOM] = { "calls_room", "a thread's single calls in a slow frame that could not be retained "
	                                    "(raise PROF_SHM_SIZE)" },
	[LOSS_REGION_ROOM] = { "region_room", "memory of PROF_SHM_SIZE that was not available, or was left to "
	                                      "others in the control group: the history is shorter" },
	[LOSS_STARTING] = { "starting", "a zone, value or frame mark while another thread created the region" },
	[LOSS_MARK_ROOM] = { "mark_room", "a frame mark for which there was no memory: the frame continues" },
	[LOSS_STACK_ROOM] = { "stack_room", "a zone suspended deeper than a Prof_stack holds" },
	[LOSS_STACK_MISUSED] = { "stack_misused", "a Prof_Suspend on another thread than the Prof_Resume before it, "
	                                          "or of zones that were suspended already" },
};

const char *region_loss_key(enum region_loss cause)
{
	return (unsigned)cause < LOSS_CAUSES ? causes[cause].key : "unknown";
}

const char *region_loss_text(enum region_loss cause)
{
	return (unsigned)cause < LOSS_CAUSES ? causes[cause].text : "a cause that this version does not know";
}
