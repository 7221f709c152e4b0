/* SPDX-License-Identifier: MIT */
#include "model/table/sheet.h"

#include <stdio.h>
#include <string.h>

#include "model/base/array.h"
#include "model/base/text.h"
#include "model/table/line.h"

#define TITLE_SIZE 96
#define INDENT "  "
#define TIGHT_NAME 4 /* cells of a name, at least */
#define LINE_MORE 256 /* bytes of a line that it may have more than cells */

/* A cell; its texts stand one behind the other from `text` on. */
struct sheet_kept {
	uint64_t id;
	uint32_t text, cells;
	float heat;
	uint32_t twin; /* its number among rows that look like it; 0: it looks like no other */
	uint8_t role;
	char star;
	bool rest : 1, has_lead : 1, has_depth : 1, has_tail : 1;
};

void sheet_init(struct sheet *s, const struct table_column *columns, uint32_t count, bool ascii)
{
	*s = (struct sheet){ .count = count, .ascii = ascii, .sorted = -1, .floor = 1 };
	memcpy(s->columns, columns, count * sizeof(*columns));
}

void sheet_fini(struct sheet *s)
{
	free(s->kept);
	free(s->texts);
	*s = (struct sheet){ 0 };
}

/* Adding */

static void raise_to(uint32_t *cells, size_t other)
{
	if (other > *cells)
		*cells = (uint32_t)other;
}

void sheet_widen(struct sheet *s, uint32_t column, const char *text)
{
	raise_to(&s->needs[column], text_width(text));
}

static void keep_text(struct sheet *s, const char *text)
{
	size_t size = text ? strlen(text) + 1 : 0;

	s->failed = s->failed ||
		    !array_reserve(&s->texts, &s->text_capacity, (uint64_t)s->text_length + size, 1);
	if (!text || s->failed)
		return;
	memcpy(s->texts + s->text_length, text, size);
	s->text_length += (uint32_t)size;
}

static uint32_t cells_of(const struct sheet_cell *cell)
{
	return (uint32_t)(text_width(cell->text) + (cell->lead ? text_width(cell->lead) : 0) +
			  (cell->tail ? text_width(cell->tail) : 0));
}

void sheet_add(struct sheet *s, struct sheet_cell cell)
{
	struct sheet_kept kept = { .id = cell.id, .text = s->text_length, .heat = cell.heat,
				   .role = (uint8_t)cell.role, .star = cell.star,
				   .rest = cell.rest, .has_lead = cell.lead, .has_depth = cell.depth,
				   .has_tail = cell.tail,
				   .cells = cell.cells ? cell.cells : cells_of(&cell) };

	keep_text(s, cell.lead);
	keep_text(s, cell.depth);
	keep_text(s, cell.text);
	keep_text(s, cell.tail);
	if (s->failed || !array_reserve(&s->kept, &s->cell_capacity, (uint64_t)s->cell_count + 1, sizeof(kept))) {
		s->failed = true;
		return;
	}
	if (!cell.rest && !cell.loose)
		raise_to(&s->needs[s->cell_count % s->count], kept.cells);
	s->kept[s->cell_count++] = kept;
	while (cell.rest && s->cell_count % s->count && !s->failed)
		sheet_text(s, "", STYLE_NAME);
}

void sheet_text(struct sheet *s, const char *text, enum style_role role)
{
	sheet_add(s, (struct sheet_cell){ .text = text, .role = role });
}

uint32_t sheet_rows(const struct sheet *s)
{
	return s->cell_count / s->count;
}

struct sheet_cell sheet_at(const struct sheet *s, uint32_t row, uint32_t column)
{
	const struct sheet_kept *kept = &s->kept[(size_t)row * s->count + column];
	const char *lead = s->texts + kept->text, *depth = kept->has_lead ? lead + strlen(lead) + 1 : lead;
	const char *text = kept->has_depth ? depth + strlen(depth) + 1 : depth;

	return (struct sheet_cell){ .text = text, .lead = kept->has_lead ? lead : NULL,
				    .depth = kept->has_depth ? depth : NULL,
				    .tail = kept->has_tail ? text + strlen(text) + 1 : NULL,
				    .id = kept->id, .heat = kept->heat, .cells = kept->cells,
				    .role = kept->role, .star = kept->star,
				    .rest = kept->rest };
}

/* Titles */

static uint32_t giving(const struct sheet *s)
{
	uint32_t c = 0;

	while (c + 1 < s->count && s->columns[c].importance != SHEET_GIVES_WAY)
		c++;
	return c;
}

static uint32_t title_text(const struct sheet *s, uint32_t column, char out[TITLE_SIZE])
{
	static const char *const arrows[2][2] = { { "▲", "▼" }, { " ^", " v" } };
	const struct table_column *c = &s->columns[column];

	bool has_unit = c->unit && *c->unit && !s->tight;

	snprintf(out, TITLE_SIZE, "%s%s%s%s", c->title, has_unit ? " " : "", has_unit ? c->unit : "",
		 (int)column == s->sorted ? arrows[s->ascii][s->descending] : "");
	if (s->tight && column != giving(s) && text_width(out) > s->places[column].width) {
		out[text_clip(out, s->places[column].width, NULL)] = '\0';
		if (strchr(out, ' '))
			*strrchr(out, ' ') = '\0'; /* no word is cut where one can go */
	}
	return (uint32_t)text_width(out);
}

static struct sheet_cell title_cell(const struct sheet *s, uint32_t column, char out[TITLE_SIZE])
{
	const struct table_column *c = &s->columns[column];
	uint32_t cells = title_text(s, column, out);
	bool indented = c->indented && s->places[column].width > strlen(INDENT) + text_width(c->title) + 1;

	return (struct sheet_cell){ .text = out, .lead = indented ? INDENT : NULL, .cells = cells,
				    .role = (int)column == s->sorted ? STYLE_SORTED : STYLE_TITLE };
}

/* Widths */

static bool is_shown(const struct sheet *s, uint32_t column)
{
	return s->shown >> column & 1;
}

static uint32_t gap_of(const struct sheet *s)
{
	return s->tight ? 1 : SHEET_GAP;
}

/* Cells of all but the column that gives way, and of the gaps. */
static uint32_t beside(const struct sheet *s)
{
	uint32_t cells = s->indent, gives = giving(s);

	for (uint32_t c = 0; c < s->count; c++)
		if (is_shown(s, c) && c != gives)
			cells += gap_of(s) + s->needs[c];
	return cells;
}

/* The column that goes next; as many as there are: none can. */
static uint32_t least_important(const struct sheet *s)
{
	uint32_t found = s->count;

	for (uint32_t c = 0; c < s->count; c++)
		if (is_shown(s, c) && c != giving(s) && s->columns[c].importance != SHEET_STAYS &&
		    (found == s->count || s->columns[c].importance < s->columns[found].importance))
			found = c;
	return found;
}

static void find_places(struct sheet *s)
{
	uint32_t x = s->indent, gives = giving(s);
	bool fits = s->width == SHEET_NO_LIMIT || beside(s) + s->needs[gives] <= s->width;

	for (uint32_t c = 0; c < s->count; c++) {
		uint32_t width = c == gives && !fits ? s->room : s->needs[c];

		s->places[c] = is_shown(s, c) ? (struct layout_place){ x, width } : (struct layout_place){ 0 };
		x += is_shown(s, c) ? width + gap_of(s) : 0;
	}
}

void sheet_measure(struct sheet *s)
{
	char title[TITLE_SIZE];

	for (uint32_t c = 0; c < s->count; c++) {
		raise_to(&s->needs[c], s->columns[c].least);
		raise_to(&s->needs[c], title_text(s, c, title));
	}
}

static uint32_t most_important(const struct sheet *s)
{
	uint32_t found = s->count;

	for (uint32_t c = 0; c < s->count; c++)
		if (c != giving(s) && !s->columns[c].hidden &&
		    (found == s->count || s->columns[c].importance > s->columns[found].importance))
			found = c;
	return found;
}

/* A screen that has room for names alone has none for what they are looked at for: the most important column comes
 * back, without what its title needs, if a few cells of the names stay. */
static void tighten_columns(struct sheet *s)
{
	uint32_t column = most_important(s), cells = 1;

	for (uint32_t row = 0; column < s->count && row < sheet_rows(s); row++)
		if (!s->kept[row * s->count + column].rest)
			raise_to(&cells, s->kept[row * s->count + column].cells);
	if (column == s->count || !sheet_rows(s) || s->indent + cells + 1 + TIGHT_NAME > s->width)
		return;
	s->tight = true;
	s->needs[column] = cells;
	s->shown |= UINT32_C(1) << column;
}

static void tell_apart(struct sheet *s);

void sheet_fit(struct sheet *s, uint32_t width)
{
	uint32_t *needs = &s->needs[giving(s)], keeps;

	sheet_measure(s);
	keeps = s->keeps < *needs ? s->keeps : *needs;
	s->width = width;
	s->tight = false;
	s->shown = 0;
	for (uint32_t c = 0; c < s->count; c++)
		s->shown |= (uint32_t)!s->columns[c].hidden << c;
	s->room = UINT32_MAX;
	if (width != SHEET_NO_LIMIT) {
		while (beside(s) + keeps > width && least_important(s) < s->count)
			s->shown &= ~(UINT32_C(1) << least_important(s));
		if (s->shown == UINT32_C(1) << giving(s))
			tighten_columns(s);
		raise_to(needs, s->usual);
		s->room = width > beside(s) + s->floor ? width - beside(s) : s->floor;
	}
	find_places(s);
	tell_apart(s);
}

/* Lines */

static bool is_last(const struct sheet *s, uint32_t column)
{
	return !((uint64_t)s->shown >> (column + 1));
}

/* `list<int>::push`, `walk(2)`, `draw@gl.c:20`: the end is as telling as the beginning. */
static bool is_code(const char *text)
{
	const char *bracket = strpbrk(text, "<(@"), *place = strrchr(text, ':');

	if (place && place[1] && place[1 + strspn(place + 1, "0123456789")] == ')') /* leaf ‹ load (mesh.c:4) */
		return true;
	return strstr(text, "::") || (bracket && bracket > text && bracket[-1] != ' '); /* not `a < b`, nor `a (waits)` */
}

/* Returns the cells that it took. */
static size_t pen_cut(const struct sheet *s, struct pen *pen, const struct sheet_cell *cell, size_t cells)
{
	return (is_code(cell->text) ? pen_clipped_middle : pen_clipped)(pen, cell->text, cells, s->ascii, cell->role);
}

/* In the column that gives way. Where the text would have too little room beside its tail, it is the tail that goes. */
static size_t pen_giving(const struct sheet *s, struct pen *pen, const struct sheet_cell *cell, uint32_t column, uint32_t twin)
{
	char number[16] = "";
	size_t digits = twin ? (size_t)snprintf(number, sizeof(number), "~%u", twin) : 0;
	size_t all = s->places[column].width, width = all > digits ? all - digits : all, length = cell->lead ? strlen(cell->lead) : 0, lead = length;
	size_t tail = cell->tail ? text_width(cell->tail) : 0, most = s->tight ? 2 : width / 2, blanks = 0, used;
	const char *leads = cell->lead;

	digits = all - width; /* none if there is no room for them */
	if (s->tight && length <= 2) /* a mark alone */
		lead = 0;
	if (width < s->needs[column] && lead > most && cell->depth && strlen(cell->depth) <= width * 2 / 3) {
		leads = cell->depth;
		lead = length = strlen(leads);
		blanks = lead < most ? most - lead : 0;
	} else if (width < s->needs[column] && lead > most) {
		lead = most;
	}
	if (s->room < tail + s->floor && cell->cells > width)
		tail = 0;
	pen_blanks(pen, blanks);
	if (lead)
		pen_write(pen, leads + length - lead, lead);
	used = blanks + lead + pen_cut(s, pen, cell, width > blanks + lead + tail ? width - blanks - lead - tail : 0) +
	       tail + digits;
	if (pen->span_count)
		pen->spans[pen->span_count - 1].heat = cell->heat;
	pen_write(pen, number, digits);
	if (tail)
		pen_write(pen, cell->tail, strlen(cell->tail));
	return used;
}

/* Rows that would look alike */

struct look {
	char *text; /* of the column that gives way */
	uint64_t id;
	uint32_t row;
};

static int compare_looks(const void *a, const void *b)
{
	const struct look *x = a, *y = b;
	int order = strcmp(x->text, y->text);

	if (order || x->id != y->id)
		return order ? order : x->id < y->id ? -1 : 1;
	return (x->row > y->row) - (x->row < y->row);
}

/* NULL: out of memory. */
static char *text_shown(const struct sheet *s, uint32_t row, uint32_t column, uint32_t twin)
{
	struct pen pen = { 0 };
	struct sheet_cell cell = sheet_at(s, row, column);
	struct layout_line line;

	pen_giving(s, &pen, &cell, column, twin);
	line = pen_take(&pen);
	free(line.spans);
	if (!pen.failed)
		return line.text;
	free(line.text);
	return NULL;
}

/* Makes the texts as they are shown with the number `twin`, and sorts by them.
 * Returns how many there is memory for. */
static uint32_t take_looks(const struct sheet *s, struct look *looks, uint32_t count, uint32_t column, uint32_t twin)
{
	uint32_t taken = 0;

	for (uint32_t i = 0; i < count; i++) {
		free(looks[i].text);
		looks[taken] = looks[i];
		looks[taken].text = text_shown(s, looks[taken].row, column, twin);
		taken += looks[taken].text != NULL;
	}
	qsort(looks, taken, sizeof(*looks), compare_looks);
	return taken;
}

/* Returns the end of the rows that look like the one at `from`. */
static uint32_t end_of_alike(const struct look *looks, uint32_t count, uint32_t from)
{
	uint32_t end = from + 1;

	while (end < count && !strcmp(looks[end].text, looks[from].text))
		end++;
	return end;
}

/* Keeps only rows that look like a row with another id. Returns how many. */
static uint32_t keep_alike(struct look *looks, uint32_t count)
{
	uint32_t kept = 0, end;

	for (uint32_t i = 0; i < count; i = end) {
		bool alike;

		end = end_of_alike(looks, count, i);
		alike = looks[i].id != looks[end - 1].id;
		for (uint32_t k = i; k < end; k++) {
			if (alike)
				looks[kept++] = looks[k];
			else
				free(looks[k].text);
		}
	}
	return kept;
}

/* Numbers them in the order of ids, so that a row keeps its number while the
 * order of rows changes. */
static void number_alike(struct sheet *s, const struct look *looks, uint32_t count, uint32_t column)
{
	for (uint32_t i = 0, end; i < count; i = end) {
		uint32_t number = 1;

		end = end_of_alike(looks, count, i);
		for (uint32_t k = i; k < end; k++) {
			number += k > i && looks[k].id != looks[k - 1].id;
			s->kept[(size_t)looks[k].row * s->count + column].twin = number;
		}
	}
}

/* A number takes space from the text. So rows that look alike are compared
 * again, with numbers. */
static void tell_apart(struct sheet *s)
{
	uint32_t column = giving(s), count = 0;
	struct look *looks = array_zeroed(sheet_rows(s), sizeof(*looks));

	for (uint32_t row = 0; looks && row < sheet_rows(s); row++) {
		struct sheet_kept *kept = &s->kept[(size_t)row * s->count + column];

		kept->twin = 0;
		if (!kept->rest && kept->id)
			looks[count++] = (struct look){ NULL, kept->id, row };
	}
	count = count ? keep_alike(looks, take_looks(s, looks, count, column, 0)) : 0;
	if (count) {
		count = take_looks(s, looks, count, column, count);
		number_alike(s, looks, count, column);
	}
	while (count-- > 0)
		free(looks[count].text);
	free(looks);
}

/* The colour of a name says the same as a mark that is in the line, and nothing without it. */
static enum style_role role_in(const struct sheet *s, uint32_t row, const struct sheet_cell *cell)
{
	for (uint32_t c = 0; c < s->count && cell->role == STYLE_WARM; c++)
		if (is_shown(s, c) && s->kept[(size_t)row * s->count + c].role == STYLE_HEAT)
			return STYLE_WARM;
	return cell->role == STYLE_WARM ? STYLE_NAME : cell->role;
}

static void pen_cell(const struct sheet *s, struct pen *pen, const struct sheet_cell *cell, uint32_t column, uint32_t twin)
{
	size_t width = s->places[column].width, used = cell->cells;
	bool right = s->columns[column].right && !cell->rest;

	if (right && used < width)
		pen_blanks(pen, width - used);
	if (s->columns[column].importance == SHEET_GIVES_WAY && !cell->rest)
		used = pen_giving(s, pen, cell, column, twin);
	else
		pen_span(pen, cell->text, strlen(cell->text), cell->role, cell->heat);
	if (!right && !is_last(s, column) && used < width)
		pen_blanks(pen, width - used);
}

/* Returns what is left of the gap. */
static size_t pen_star(const struct sheet *s, struct pen *pen, const struct sheet_cell *cell, uint32_t column)
{
	uint32_t end = s->places[column].x + s->places[column].width;

	if (!cell->star || (is_last(s, column) && s->width != SHEET_NO_LIMIT && end >= s->width))
		return gap_of(s);
	pen_span(pen, &cell->star, 1, STYLE_NUMBER, 0);
	return gap_of(s) - 1;
}

bool sheet_line(const struct sheet *s, uint32_t row, struct layout_line *line)
{
	struct pen pen = { .failed = s->failed };
	size_t gap = s->indent;
	char title[TITLE_SIZE];

	pen_room(&pen, beside(s) + s->places[giving(s)].width + LINE_MORE, s->count + 1);
	for (uint32_t c = 0; c < s->count && !pen.failed; c++) {
		struct sheet_cell cell;

		if (!is_shown(s, c))
			continue;
		cell = row == SHEET_TITLES ? title_cell(s, c, title) : sheet_at(s, row, c);
		cell.role = role_in(s, row, &cell);
		pen_blanks(&pen, gap);
		pen_cell(s, &pen, &cell, c, row == SHEET_TITLES ? 0 : s->kept[(size_t)row * s->count + c].twin);
		if (cell.rest)
			break;
		gap = pen_star(s, &pen, &cell, c);
	}
	*line = pen_take(&pen);
	if (!pen.failed)
		return true;
	free(line->text);
	free(line->spans);
	*line = (struct layout_line){ 0 };
	return false;
}
