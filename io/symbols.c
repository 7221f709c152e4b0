/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "io/symbols.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

void symbols_forget(struct symbol *found)
{
	free(found->name);
	free(found->file);
}

#ifdef HAVE_LIBDW

#include <dlfcn.h>
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/base/array.h"
#include "model/base/text.h"

/* Each module is alone in a Dwfl, because modules may have had the same addresses one after the other. */
struct module {
	Dwfl *all;
	Dwfl_Module *code; /* NULL: nothing is known of it */
	Dwarf_Addr begin;
	bool is_open;
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
	for (uint32_t i = 0; i < s->count; i++)
		if (s->modules[i].all)
			dwfl_end(s->modules[i].all);
	if (s->library)
		dlclose(s->library);
	free(s->modules);
	free(s);
}

/* The file of a module, if it is an ordinary file. Opening a pipe or a device must not wait. */
static int open_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat about;

	if (fd >= 0 && (fstat(fd, &about) != 0 || !S_ISREG(about.st_mode))) {
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

static void open_module(struct module *m, const struct profile_module *of)
{
	static const Dwfl_Callbacks callbacks = { .find_debuginfo = dwfl_build_id_find_debuginfo,
						  .section_address = dwfl_offline_section_address };
	int fd = open_file(of->path);
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

static struct module *module_at(struct symbols *s, const struct profile *p, uint32_t index)
{
	if (!array_reserve(&s->modules, &s->capacity, index + 1, sizeof(*s->modules)))
		return NULL;
	for (; s->count <= index; s->count++)
		s->modules[s->count] = (struct module){ 0 };
	if (!s->modules[index].is_open)
		open_module(&s->modules[index], &p->modules[index]);
	return &s->modules[index];
}

/* Compilers such as clang write no table of where units are (.debug_aranges). */
static Dwarf_Die *unit_at(struct module *m, Dwarf_Addr at, Dwarf_Addr *bias)
{
	Dwarf_Die *unit = dwfl_module_addrdie(m->code, at, bias);

	if (!unit)
		while ((unit = dwfl_module_nextcu(m->code, unit, bias)) && dwarf_haspc(unit, at - *bias) <= 0)
			;
	return unit;
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

/* The function itself, and not one that is inlined at its first instruction. NULL: its file is not known. */
static const char *declared_at(struct module *m, Dwarf_Addr at, int *line, const char **folder)
{
	Dwarf_Addr bias;
	Dwarf_Die *unit = unit_at(m, at, &bias), *scopes = NULL, *around = NULL;
	const char *file = NULL;
	Dwarf_Attribute attribute;
	int count = unit && dwarf_getscopes(unit, at - bias, &scopes) > 0 ? dwarf_getscopes_die(&scopes[0], &around) : 0;

	for (int i = 0; i < count && !file; i++)
		if (dwarf_tag(&around[i]) == DW_TAG_subprogram && dwarf_decl_line(&around[i], line) == 0 &&
		    !(file = dwarf_decl_file(&around[i])))
			file = first_file(unit, &around[i]);
	free(scopes);
	free(around);
	*folder = file && *file != '/' ? dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute)) : NULL;
	return file;
}

/* Where a function begins. Without debug information: its module, as others have functions of the same name. */
static bool find_place(struct module *m, const struct profile_module *of, Dwarf_Addr at, struct symbol *out)
{
	int line = 0;
	const char *folder, *file = declared_at(m, at, &line, &folder);
	Dwfl_Line *found = file ? NULL : dwfl_module_getsrc(m->code, at);

	if (found && (file = dwfl_lineinfo(found, NULL, &line, NULL, NULL, NULL)) && *file != '/')
		folder = dwfl_line_comp_dir(found);
	out->line = file ? (uint32_t)line : 0;
	if (asprintf(&out->file, "%s%s%s", folder ? folder : "", folder ? "/" : "", file ? file : of->path) < 0)
		out->file = NULL;
	return out->file;
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
static bool find_unnamed(struct module *m, const struct profile_module *of, Dwarf_Addr at, struct symbol *out)
{
	const char *slash = strrchr(of->path, '/');
	Dwarf_Addr bias, start, end;
	Dwarf_CFI *frames = dwfl_module_eh_cfi(m->code, &bias);
	Dwarf_Frame *frame;
	bool found = frames && dwarf_cfi_addrframe(frames, at - bias, &frame) == 0;

	if (!found)
		return false;
	found = dwarf_frame_info(frame, &start, &end, NULL) >= 0;
	free(frame);
	GElf_Addr bias_of_file;
	Elf *elf = dwfl_module_getelf(m->code, &bias_of_file);
	Dwarf_Addr function;
	if (found && elf && find_begin(elf, at - bias, &function) && function <= start)
		start = function;
	if (!found || start + bias < m->begin)
		return false;
	out->line = 0;
	out->file = strdup("");
	if (asprintf(&out->name, "%s+0x%" PRIx64, slash ? slash + 1 : of->path, (uint64_t)(start + bias - m->begin)) < 0)
		out->name = NULL;
	return out->name && out->file;
}

static bool find_named(struct symbols *s, struct module *m, const struct profile_module *of, Dwarf_Addr at, struct symbol *out)
{
	GElf_Off from;
	GElf_Sym symbol;
	const char *name = dwfl_module_addrinfo(m->code, at, &from, &symbol, NULL, NULL, NULL);

	if (!name)
		return false;
	out->name = plain_name(s, name);
	return find_place(m, of, at - from, out) && out->name;
}

bool symbols_find(struct symbols *s, const struct profile *p, uint32_t module, uint64_t offset, struct symbol *out)
{
	struct module *m = module_at(s, p, module);

	*out = (struct symbol){ NULL, NULL, 0 };
	if (!m || !m->code)
		return false;
	if (find_named(s, m, &p->modules[module], m->begin + offset, out) || find_unnamed(m, &p->modules[module], m->begin + offset, out))
		return true;
	symbols_forget(out);
	return false;
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

bool symbols_find(struct symbols *s, const struct profile *p, uint32_t module, uint64_t offset, struct symbol *out)
{
	(void)s, (void)p, (void)module, (void)offset, (void)out;
	return false;
}

#endif
