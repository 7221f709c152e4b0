/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "io/symbols.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

void symbols_forget(struct symbol *found, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		free(found[i].name);
		free(found[i].file);
	}
}

#ifdef HAVE_LIBDW

#include <dlfcn.h>
#include <dwarf.h>
#include <elf.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/symbols_cache.h"
#include "model/base/array.h"
#include "model/base/text.h"

/* Code of a function, or of a unit. */
struct stretch {
	Dwarf_Addr from, to;
	Dwarf_Die die;
};

struct stretches {
	struct stretch *of; /* ascending */
	uint32_t count, capacity;
};

/* A unit of debug information, and its functions. To go through all of them for each address would take minutes. */
struct unit {
	Dwarf_Off offset;
	struct stretches functions;
	struct stretches inner; /* functions in functions, as lambdas: looked for where no other is found */
	bool inner_read;
};

/* Each module is alone in a Dwfl, because modules may have had the same addresses one after the other. */
struct module {
	struct stretches units_by_code; /* where the file has no table of them (.debug_aranges), or not of all */
	bool units_read;
	struct unit *units;
	uint32_t unit_count, unit_capacity;
	uint32_t stretches; /* in all of these */
	Dwfl *all;
	Dwfl_Module *code; /* NULL: nothing is known of it */
	Dwarf_Addr begin;
	bool is_open;
	struct symbols_cache *cache; /* NULL: none */
	bool cache_is_open;
};

typedef char *demangle_function(const char *name, char *out, size_t *size, int *status);

struct symbols {
	struct module *modules; /* by index in the profile */
	uint32_t count, capacity;
	void *library; /* of C++: its demangler is used if it is there */
	demangle_function *demangle;
};

const char *symbols_library(char *out, size_t size)
{
	snprintf(out, size, "libdw %s", dwfl_version(NULL));
	return out;
}

struct symbols *symbols_new(void)
{
	struct symbols *s = calloc(1, sizeof(*s));

	if (s && (s->library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL)))
		*(void **)&s->demangle = dlsym(s->library, "__cxa_demangle");
	return s;
}

void symbols_free(struct symbols *s)
{
	if (!s)
		return;
	for (uint32_t i = 0; i < s->count; i++) {
		struct module *m = &s->modules[i];

		for (uint32_t u = 0; u < m->unit_count; u++) {
			free(m->units[u].functions.of);
			free(m->units[u].inner.of);
		}
		free(m->units);
		free(m->units_by_code.of);
		if (m->all)
			dwfl_end(m->all);
		symbols_cache_close(m->cache);
	}
	if (s->library)
		dlclose(s->library);
	free(s->modules);
	free(s);
}

/* The file of a module, if it is an ordinary file. Opening a pipe or a device must not wait. libdwfl would unpack files that
 * gzip or xz packed, and a small one may unpack to gigabytes. A file without a build id must be older than the run. */
static int open_file(const struct profile_module *of, int64_t started_ns)
{
	int fd = open(of->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat about;
	char first[SELFMAG];

	if (fd >= 0 && (fstat(fd, &about) != 0 || !S_ISREG(about.st_mode) || pread(fd, first, SELFMAG, 0) != SELFMAG ||
			memcmp(first, ELFMAG, SELFMAG) != 0 ||
			(!*of->build && started_ns && about.st_mtim.tv_sec > started_ns / 1000000000))) {
		close(fd);
		fd = -1;
	}
	return fd;
}

static bool has_build(Dwfl_Module *code, const char *build)
{
	const unsigned char *bytes;
	GElf_Addr address;
	int size = dwfl_module_build_id(code, &bytes, &address);
	char digits[3];

	if (size <= 0)
		return !*build;
	for (int i = 0; i < size; i++, build += 2) {
		snprintf(digits, sizeof(digits), "%02x", bytes[i]);
		if (strncmp(build, digits, 2) != 0)
			return false;
	}
	return !*build;
}

static void open_module(struct module *m, const struct profile_module *of, int64_t started_ns)
{
	static const Dwfl_Callbacks callbacks = { .find_debuginfo = dwfl_build_id_find_debuginfo,
						  .section_address = dwfl_offline_section_address };
	int fd = open_file(of, started_ns);
	Dwarf_Addr begin, end;
	GElf_Addr bias;

	m->is_open = true;
	if (fd < 0 || !(m->all = dwfl_begin(&callbacks))) {
		if (fd >= 0)
			close(fd);
		return;
	}
	dwfl_report_begin(m->all);
	m->code = dwfl_report_elf(m->all, of->path, of->path, fd, 0x10000, false);
	dwfl_report_end(m->all, NULL, NULL);
	if (!m->code) {
		close(fd);
		return;
	}
	/* The symbols come with the main file, which sets the beginning. */
	if (!dwfl_module_getelf(m->code, &bias) || !has_build(m->code, of->build) ||
	    !dwfl_module_info(m->code, NULL, &begin, &end, NULL, NULL, NULL, NULL))
		m->code = NULL;
	else
		m->begin = begin;
}

static struct module *module_at(struct symbols *s, const struct profile_module *of, uint32_t index)
{
	if (!array_reserve(&s->modules, &s->capacity, index + 1, sizeof(*s->modules)))
		return NULL;
	for (; s->count <= index; s->count++)
		s->modules[s->count] = (struct module){ 0 };
	if (!s->modules[index].cache_is_open)
		s->modules[index].cache = symbols_cache_open(of);
	s->modules[index].cache_is_open = true;
	return &s->modules[index];
}

#define STRETCHES_MOST 2000000 /* of a module: in damaged files many functions may have the same long list */

static void add_stretches(struct module *m, struct stretches *to, Dwarf_Die *die)
{
	Dwarf_Addr base, from, end;
	ptrdiff_t at = 0;

	while (m->stretches < STRETCHES_MOST && (at = dwarf_ranges(die, at, &base, &from, &end)) > 0)
		if (from < end && ++m->stretches && array_reserve(&to->of, &to->capacity, (uint64_t)to->count + 1, sizeof(*to->of)))
			to->of[to->count++] = (struct stretch){ from, end, *die };
}

static int by_address(const void *a, const void *b)
{
	const struct stretch *x = a, *y = b;

	return x->from < y->from ? -1 : x->from > y->from;
}

static void sort_stretches(struct stretches *s)
{
	if (s->count)
		qsort(s->of, s->count, sizeof(*s->of), by_address);
}

/* NULL: none. */
static Dwarf_Die *find_stretch(struct stretches *s, Dwarf_Addr at)
{
	uint32_t low = 0, high = s->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (s->of[middle].from <= at)
			low = middle + 1;
		else
			high = middle;
	}
	return low && at < s->of[low - 1].to ? &s->of[low - 1].die : NULL;
}

/* Compilers such as clang write no table of where units are (.debug_aranges). If other units of the file have one, libdw
 * gives the one of them that lies before. */
static Dwarf_Die *unit_at(struct module *m, Dwarf_Addr at, Dwarf_Addr *bias)
{
	Dwarf_Die *unit = dwfl_module_addrdie(m->code, at, bias);

	if (unit && dwarf_haspc(unit, at - *bias) > 0)
		return unit;
	if (!m->units_read) {
		m->units_read = true;
		for (unit = NULL; (unit = dwfl_module_nextcu(m->code, unit, bias));)
			add_stretches(m, &m->units_by_code, unit);
		sort_stretches(&m->units_by_code);
	}
	return dwfl_module_getdwarf(m->code, bias) ? find_stretch(&m->units_by_code, at - *bias) : NULL;
}

#define SPACES_MOST 32       /* namespaces and classes in one another; deeper ones are passed over */
#define ENTRIES_MOST 8000000 /* of a unit that are looked at: in damaged files they may go in circles */

/* inner: also those in functions. Most of a unit is in functions, and to look at all of that takes longer. */
static void add_functions(struct module *m, struct stretches *to, Dwarf_Die *in, bool inner, int depth, uint32_t *entries)
{
	Dwarf_Die die;

	for (int more = dwarf_child(in, &die); !more && ++*entries < ENTRIES_MOST; more = dwarf_siblingof(&die, &die))
		switch (dwarf_tag(&die)) {
		case DW_TAG_subprogram:
			add_stretches(m, to, &die);
			/* fall through */
		case DW_TAG_lexical_block:
			if (!inner)
				break;
			/* fall through */
		case DW_TAG_namespace:
		case DW_TAG_module:
		case DW_TAG_structure_type:
		case DW_TAG_class_type:
		case DW_TAG_union_type:
			if (depth < SPACES_MOST)
				add_functions(m, to, &die, inner, depth + 1, entries);
		}
}

/* NULL: out of memory. */
static struct unit *unit_of(struct module *m, Dwarf_Die *die)
{
	Dwarf_Off offset = dwarf_dieoffset(die);
	uint32_t entries = 0;
	struct unit *unit;

	for (uint32_t i = m->unit_count; i-- > 0;)
		if (m->units[i].offset == offset)
			return &m->units[i];
	if (!array_reserve(&m->units, &m->unit_capacity, (uint64_t)m->unit_count + 1, sizeof(*m->units)))
		return NULL;
	unit = &m->units[m->unit_count++];
	*unit = (struct unit){ .offset = offset };
	add_functions(m, &unit->functions, die, false, 0, &entries);
	sort_stretches(&unit->functions);
	return unit;
}

/* NULL: none. */
static Dwarf_Die *function_at(struct module *m, Dwarf_Die *die, Dwarf_Addr at)
{
	struct unit *unit = unit_of(m, die);
	Dwarf_Die *found = unit ? find_stretch(&unit->functions, at) : NULL;
	uint32_t entries = 0;

	if (!unit || found)
		return found;
	if (!unit->inner_read) {
		unit->inner_read = true;
		add_functions(m, &unit->inner, die, true, 0, &entries);
		sort_stretches(&unit->inner);
	}
	return find_stretch(&unit->inner, at);
}

/* With DWARF 5, file 0 is one, too, which dwarf_decl_file of elfutils before 0.189 does not know. */
static const char *first_file(Dwarf_Die *unit, Dwarf_Die *function)
{
	Dwarf_Attribute attribute;
	Dwarf_Word number;
	Dwarf_Files *files;
	size_t count;

	if (dwarf_formudata(dwarf_attr_integrate(function, DW_AT_decl_file, &attribute), &number) != 0 || number ||
	    dwarf_getsrcfiles(unit, &files, &count) != 0 || !count)
		return NULL;
	return dwarf_filesrc(files, 0, NULL, NULL);
}

#define SCOPES_MOST 64

/* The pieces of source around an address: the function, then blocks and functions that were inlined, the outer ones first.
 * dwarf_getscopes finds nothing where those were declared in another unit, as after optimization at link time. */
struct scopes {
	Dwarf_Die *unit; /* NULL: there is no debug information */
	Dwarf_Addr at;   /* the address, as the unit counts it */
	Dwarf_Die dies[SCOPES_MOST];
	uint32_t count;
};

/* The piece that is in `above` and has the address. */
static bool find_inner(Dwarf_Die *above, Dwarf_Addr at, Dwarf_Die *out)
{
	uint32_t entries = 0;

	for (int more = dwarf_child(above, out); !more && ++entries < ENTRIES_MOST; more = dwarf_siblingof(out, out))
		switch (dwarf_tag(out)) {
		case DW_TAG_lexical_block:
		case DW_TAG_inlined_subroutine:
		case DW_TAG_try_block:
		case DW_TAG_catch_block:
			if (dwarf_haspc(out, at) > 0)
				return true;
		}
	return false;
}

static void scopes_at(struct scopes *s, struct module *m, Dwarf_Addr at)
{
	Dwarf_Addr bias;
	Dwarf_Die *function;

	s->count = 0;
	s->unit = unit_at(m, at, &bias);
	s->at = at - bias;
	function = s->unit ? function_at(m, s->unit, at - bias) : NULL;
	if (!function)
		return;
	s->dies[s->count++] = *function;
	while (s->count < SCOPES_MOST && find_inner(&s->dies[s->count - 1], at - bias, &s->dies[s->count]))
		s->count++;
}

/* Takes `.`, `..` with the folder before it, and slashes that are too many out
 * of a path: a header is one file, whatever way leads to it. */
static void shorten_path(char *path)
{
	char *begin = path + (*path == '/'), *out = begin;

	for (const char *in = begin; *(in += strspn(in, "/"));) {
		size_t length = strcspn(in, "/");
		char *last = out;

		while (last > begin && last[-1] != '/')
			last--;
		if (length == 2 && !strncmp(in, "..", 2) && out > begin && strncmp(last, "..", (size_t)(out - last)) != 0) {
			out = last > begin ? last - 1 : begin;
		} else if (length > 1 || *in != '.') {
			if (out > begin)
				*out++ = '/';
			memmove(out, in, length);
			out += length;
		}
		in += length;
	}
	*out = '\0';
}

/* A path whole, below the folder in which the unit was compiled. NULL: out of
 * memory. */
static char *whole_path(Dwarf_Die *unit, const char *file)
{
	Dwarf_Attribute attribute;
	const char *folder = *file != '/' ? dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute)) : NULL;
	char *path;

	if (asprintf(&path, "%s%s%s", folder ? folder : "", folder ? "/" : "", file) < 0)
		return NULL;
	shorten_path(path);
	return path;
}

/* Where a function is declared: a text, or NULL if that is not known or memory
 * is out. */
static char *declared_at(const struct scopes *s, Dwarf_Die *function, uint32_t *line)
{
	const char *file;
	int number;

	if (dwarf_decl_line(function, &number) != 0 ||
	    (!(file = dwarf_decl_file(function)) && !(file = first_file(s->unit, function))))
		return NULL;
	*line = (uint32_t)number;
	return whole_path(s->unit, file);
}

/* The function of a lambda has no place, but the class around it has. */
static char *class_declared_at(const struct scopes *s, Dwarf_Die *function, uint32_t *line)
{
	Dwarf_Attribute attribute;
	Dwarf_Die origin, *around = NULL;
	char *path = NULL;

	if (dwarf_formref_die(dwarf_attr(function, DW_AT_abstract_origin, &attribute), &origin) &&
	    dwarf_getscopes_die(&origin, &around) > 1)
		path = declared_at(s, &around[1], line);
	free(around);
	return path;
}

/* The name in symbol tables, of languages that make one of their own. NULL: it has none. */
static const char *linkage_name(Dwarf_Die *function)
{
	Dwarf_Attribute attribute;

	return dwarf_formstring(dwarf_attr_integrate(function, DW_AT_linkage_name, &attribute));
}

/* That, or the name of the source. NULL: it has none. */
static const char *name_of(Dwarf_Die *function)
{
	const char *name = linkage_name(function);

	return name ? name : dwarf_diename(function);
}

/* Its functions are in another file (.dwo), which nobody reads here: so a line
 * may be of a function that was inlined. */
static bool is_split(Dwarf_Die *unit)
{
	return dwarf_hasattr(unit, DW_AT_dwo_name) || dwarf_hasattr(unit, DW_AT_GNU_dwo_name);
}

/* The file and the line of an address. NULL: not known. */
static const char *source_at(Dwarf_Die *unit, Dwarf_Addr at, uint32_t *line)
{
	Dwarf_Line *found = dwarf_getsrc_die(unit, at);
	int number;

	if (!found || dwarf_lineno(found, &number) != 0)
		return NULL;
	*line = (uint32_t)number;
	return dwarf_linesrc(found, NULL, NULL);
}

/* Where a function begins: as it is declared, by its first instruction, or its module, as others have functions of the same
 * name. NULL: out of memory. */
static char *find_place(struct module *m, const struct profile_module *of, struct scopes *s, Dwarf_Addr begin, uint32_t *line)
{
	char *path = s->count ? declared_at(s, &s->dies[0], line) : NULL;
	const char *file;
	Dwarf_Addr bias;
	Dwarf_Die *unit;

	if (path)
		return path;
	unit = unit_at(m, begin, &bias);
	file = unit ? source_at(unit, begin - bias, line) : NULL;
	return file ? whole_path(unit, file) : strdup(of->path);
}

/* Without the version of a symbol of a shared library, and in the words of the source. NULL: out of memory. */
static char *plain_name(const struct symbols *s, const char *name)
{
	char *bare = strndup(name, strcspn(name, "@")), *plain;
	int status;

	if (!bare || !s->demangle || strncmp(bare, "_Z", 2) != 0 || !(plain = s->demangle(bare, NULL, NULL, &status)))
		return bare;
	free(bare);
	return plain;
}

/* A number of four bytes in a table of unwind information. */
static int32_t number_at(const unsigned char *at)
{
	int32_t n;

	memcpy(&n, at, sizeof(n));
	return n;
}

/* Where the function at an address begins, by the table that exceptions use (.eh_frame_hdr). dwarf_frame_info tells only from
 * where on the frame is as it is there, which is somewhere in the function. */
static bool find_begin(Elf *elf, Dwarf_Addr at, Dwarf_Addr *begin)
{
	size_t count;
	GElf_Phdr part;
	Elf_Data *data = NULL;

	if (elf_getphdrnum(elf, &count) != 0)
		return false;
	for (size_t i = 0; i < count && !data; i++)
		if (gelf_getphdr(elf, (int)i, &part) && part.p_type == PT_GNU_EH_FRAME)
			data = elf_getdata_rawchunk(elf, (int64_t)part.p_offset, part.p_filesz, ELF_T_BYTE);
	const unsigned char *bytes = data ? data->d_buf : NULL;
	if (!bytes || data->d_size < 12 || bytes[0] != 1 || (bytes[1] & 15) != 0x0b || bytes[2] != 3 || bytes[3] != 0x3b)
		return false;
	size_t low = 0, high = (uint32_t)number_at(bytes + 8);
	if (high > (data->d_size - 12) / 8)
		return false;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (part.p_vaddr + (uint64_t)(int64_t)number_at(bytes + 12 + middle * 8) <= at)
			low = middle + 1;
		else
			high = middle;
	}
	if (low)
		*begin = part.p_vaddr + (uint64_t)(int64_t)number_at(bytes + 12 + (low - 1) * 8);
	return low;
}

/* A stripped file still says where functions begin, for exceptions. */
static uint32_t find_unnamed(struct module *m, const struct profile_module *of, Dwarf_Addr at, struct symbol *out)
{
	const char *slash = strrchr(of->path, '/');
	Dwarf_Addr bias, start, end;
	Dwarf_CFI *frames = dwfl_module_eh_cfi(m->code, &bias);
	Dwarf_Frame *frame;
	bool found = frames && dwarf_cfi_addrframe(frames, at - bias, &frame) == 0;

	if (!found)
		return 0;
	found = dwarf_frame_info(frame, &start, &end, NULL) >= 0;
	free(frame);
	GElf_Addr bias_of_file;
	Elf *elf = dwfl_module_getelf(m->code, &bias_of_file);
	Dwarf_Addr function;
	if (found && elf && find_begin(elf, at - bias, &function) && function <= start)
		start = function;
	if (!found || start + bias < m->begin)
		return 0;
	*out = (struct symbol){ .file = strdup("") };
	if (asprintf(&out->name, "%s+0x%" PRIx64, slash ? slash + 1 : of->path, (uint64_t)(start + bias - m->begin)) < 0)
		out->name = NULL;
	return 1;
}

/* A line of a file, if that is the file in which the function is declared. Else
 * 0, as a function has lines of one file here: code may come from a file that
 * is included in its middle. */
static uint32_t line_in(const struct scopes *s, const char *file, uint32_t line, const struct symbol *function)
{
	char *path = file ? whole_path(s->unit, file) : NULL;
	bool same = path && function->file && !strcmp(path, function->file);

	free(path);
	return same ? line : 0;
}

/* The line at which the function of a piece was called. */
static uint32_t called_at(const struct scopes *s, Dwarf_Die *inlined, const struct symbol *caller)
{
	Dwarf_Attribute attribute;
	Dwarf_Word line, file;
	Dwarf_Files *files;
	size_t count;

	if (dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &attribute), &line) != 0 ||
	    dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &attribute), &file) != 0 ||
	    dwarf_getsrcfiles(s->unit, &files, &count) != 0 || file >= count)
		return 0;
	return line_in(s, dwarf_filesrc(files, file, NULL, NULL), (uint32_t)line, caller);
}

/* Functions that were inlined into out[0], behind it, the outer ones first.
 * Each function has its line: where the next one was called, or that of the
 * address. Returns how many there are with out[0]. */
static uint32_t find_inlined(const struct symbols *s, struct scopes *scopes, struct symbol out[SYMBOLS_MOST])
{
	uint32_t count = 1, line = 0;
	const char *name, *file;

	for (Dwarf_Die *die = scopes->dies; die < scopes->dies + scopes->count; die++)
		if (dwarf_tag(die) == DW_TAG_inlined_subroutine && (name = name_of(die))) {
			struct symbol *inlined = &out[count];

			inlined[-1].at = called_at(scopes, die, &inlined[-1]);
			if (count++ == SYMBOLS_MOST)
				return SYMBOLS_MOST;
			*inlined = (struct symbol){ .name = plain_name(s, name) };
			if (!(inlined->file = declared_at(scopes, die, &inlined->line)) &&
			    !(inlined->file = class_declared_at(scopes, die, &inlined->line)))
				inlined->file = strdup("");
		}
	file = scopes->unit && !is_split(scopes->unit) ? source_at(scopes->unit, scopes->at, &line) : NULL;
	out[count - 1].at = line_in(scopes, file, line, &out[count - 1]);
	return count;
}

/* Compilers add to the names of symbols (`.constprop.0`). The debug information has the name without that, but the bare
 * `operator()` of some functions whose symbol tells what it is of. */
static uint32_t find_named(struct symbols *s, struct module *m, const struct profile_module *of, Dwarf_Addr at,
			   struct symbol out[SYMBOLS_MOST])
{
	GElf_Off from;
	GElf_Sym symbol;
	const char *name = dwfl_module_addrinfo(m->code, at, &from, &symbol, NULL, NULL, NULL), *better = NULL;
	struct scopes scopes;

	if (!name)
		return 0;
	scopes_at(&scopes, m, at);
	if (scopes.count)
		better = strncmp(name, "_Z", 2) ? name_of(scopes.dies) : linkage_name(scopes.dies);
	out[0] = (struct symbol){ .name = plain_name(s, better ? better : name) };
	out[0].file = find_place(m, of, &scopes, at - from, &out[0].line);
	return find_inlined(s, &scopes, out);
}

uint32_t symbols_find(struct symbols *s, const struct profile_module *module, uint32_t index, int64_t started_ns, uint64_t offset,
		      struct symbol out[SYMBOLS_MOST])
{
	struct module *m = module_at(s, module, index);
	uint32_t count = m && m->cache ? symbols_cache_find(m->cache, offset, out) : 0;
	Dwarf_Addr bias;

	if (!m || count)
		return count;
	if (!m->is_open)
		open_module(m, module, started_ns);
	if (!m->code)
		return 0;
	count = find_named(s, m, module, m->begin + offset, out);
	if (!count)
		count = find_unnamed(m, module, m->begin + offset, out);
	for (uint32_t i = 0; i < count; i++)
		if (!out[i].name || !out[i].file) {
			symbols_forget(out, count);
			return 0;
		}
	/* The symbol table alone is fast, and debug information may be installed later. */
	if (count && m->cache && dwfl_module_getdwarf(m->code, &bias))
		symbols_cache_add(m->cache, offset, out, count);
	return count;
}

#else

const char *symbols_library(char *out, size_t size)
{
	snprintf(out, size, "no libdw");
	return out;
}

struct symbols *symbols_new(void)
{
	return calloc(1, 1);
}

void symbols_free(struct symbols *s)
{
	free(s);
}

uint32_t symbols_find(struct symbols *s, const struct profile_module *module, uint32_t index, int64_t started_ns, uint64_t offset,
		      struct symbol out[SYMBOLS_MOST])
{
	(void)s, (void)module, (void)index, (void)started_ns, (void)offset, (void)out;
	return 0;
}

#endif
