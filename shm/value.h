/* value.h: what a thread writes into its value log: values of counters, events, notes.
 *
 * A record is whole words, two or more:
 *
 *   word 0  kind | flags << 4 | words of the whole record << 8 | generation << 16 (its low 16 bits) | id << 32
 *   word 1  sample: the interval; event and note: the tick
 *
 *   sample  id: the counter, 1 + index.  Word 2: its last value in the interval; words 3 and 4: the least and the
 *           most, left out (three words in all) where all three are the same bits
 *   event   id: the zone that has its name.  Two words
 *   note    id: bytes of its text.  Words 2 on: the text, padded with zeros
 *
 * Readers skip kinds that they do not know.
 *
 * Records stand in the order in which they were written.  A thread's samples of one counter have ascending
 * intervals, each of them ended and its end decided; its events and notes ascending ticks.  An event belongs to the
 * frame with start < tick <= end.
 */
#ifndef SHM_VALUE_H
#define SHM_VALUE_H

#include "shm/region.h"

enum value_kind_of { VALUE_SAMPLE = 1, VALUE_EVENT, VALUE_NOTE, VALUE_KINDS /* from here on: of later versions */ };
enum value_flag { VALUE_CUT = 1 /* the note was longer */ };

#define VALUE_NOTE_MAX   1000u /* bytes of a note's text */
#define VALUE_HEAD_WORDS 2u
#define VALUE_WORDS_MAX  (VALUE_HEAD_WORDS + (VALUE_NOTE_MAX + 7) / 8)
static_assert(VALUE_WORDS_MAX <= 255, "a record's length is a byte");

#endif
