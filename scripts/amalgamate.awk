# amalgamate.awk: the C files that are its arguments, and the headers that they include, as one.
#
#   -v top=DIRECTORY    what the arguments and their #include "..." are relative to
#
# The sources are cut into tokens, and those into declarations at file scope.  Then
# - what has external linkage becomes static, unless prof.h names it;
# - a name that two files use for different things at file scope gets the file's name in front;
# - a file's macros end with it, and a header stands where it is included first.
# It knows as much C as that needs; what it takes wrongly does not compile.

BEGIN {
	read_public()
	for (i = 1; i < ARGC; i++)
		given[ARGV[i]] = 1
	for (i = 1; i < ARGC; i++)
		if (ARGV[i] ~ /\.[ch]$/)
			learn(ARGV[i])
	for (i = 1; i < ARGC; i++)
		if (ARGV[i] ~ /\.c$/)
			write_source(ARGV[i])
	exit failed
}

function die(text) {
	print "amalgamate: " text >"/dev/stderr"
	failed = 1
	exit 1
}

# ---- tokens: text[1..tokens], kind[] is name, other, space (comments, too) or line (of the preprocessor)

function add(what, string) {
	text[++tokens] = string
	kind[tokens] = what
}

# The length of the comment, string or word that `rest` begins with; `what` becomes its kind.
function token_length() {
	what = "space"
	if (match(rest, /^[ \t\n]+/) || match(rest, /^\/\/[^\n]*/))
		return RLENGTH
	if (substr(rest, 1, 2) == "/*")
		return index(rest, "*/") + 1
	what = "name"
	if (match(rest, /^[A-Za-z_][A-Za-z_0-9]*/))
		return RLENGTH
	what = "other"
	if (match(rest, /^"([^"\\]|\\.)*"/) || match(rest, /^'([^'\\]|\\.)*'/) || match(rest, /^->/) ||
	    match(rest, /^[0-9][A-Za-z_0-9.]*/))
		return RLENGTH
	return 1
}

# A line of the preprocessor with those that continue it, and with no comment behind it.
function directive_length(  length_, line) {
	length_ = 0
	do {
		line = index(substr(rest, length_ + 1), "\n")
		length_ += line
	} while (line && substr(rest, length_ - 1, 1) == "\\")
	return length_ - 1
}

function read_tokens(file,  line, got) {
	rest = ""
	while ((got = (getline line <(top "/" file))) > 0)
		rest = rest line "\n"
	close(top "/" file)
	if (got < 0)
		die("cannot read " file)
	cut()
}

# A long comment may stand behind a directive and go on in the next line; such a line ends before it.
function cut(  length_, fresh, at) {
	tokens = 0
	fresh = 1
	while (rest != "") {
		if (fresh && substr(rest, 1, 1) == "#") {
			length_ = directive_length()
			at = index(substr(rest, 1, length_), "/*")
			if (at)
				length_ = at - 1
			what = "line"
		} else {
			length_ = token_length()
		}
		add(what, substr(rest, 1, length_))
		rest = substr(rest, length_ + 1)
		fresh = text[tokens] ~ /\n$/ || (fresh && what == "space" && text[tokens] !~ /^\//)
	}
}

function is_code(i) {
	return kind[i] == "name" || kind[i] == "other"
}

function next_code(i) {
	while (++i <= tokens && !is_code(i))
		;
	return i
}

function is_tagged(word) {
	return word == "struct" || word == "union" || word == "enum"
}

function closing(i,  depth) { # of the bracket at i
	for (depth = 0; i <= tokens; i++) {
		if (kind[i] != "other")
			continue
		depth += (text[i] ~ /^[({[]$/) - (text[i] ~ /^[)}\]]$/)
		if (depth == 0)
			return i
	}
	return tokens
}

# ---- declarations: one that begins at token i, at file scope

# Sets first, last (tokens), name (token of what is declared, 0: nothing), linkage (the word for it that
# is there), and calls note_tag and note_enumerators if `noting`.
function parse(i, noting,  t, done, follows) {
	first = i
	name = 0
	linkage = ""
	done = 0    # its name is known
	follows = 0 # a parameter list: a brace is a function's body
	for (; i <= tokens; i = next_code(i)) {
		t = text[i]
		if (t == ";")
			break
		if (t == "{") {
			i = closing(i)
			if (follows)
				break
		} else if (t == "__attribute__" || t == "static_assert" || t == "_Static_assert") {
			i = closing(next_code(i))
			if (t != "__attribute__")
				done = 1
		} else if (is_tagged(t)) {
			i = parse_tag(i, noting)
		} else if (t == "static" || t == "extern" || t == "typedef" || t in means_static) {
			linkage = t in means_static ? "static" : t
		} else if (t == "(") {
			if (!done) {
				if (text[next_code(i)] == "*")
					name = next_code(next_code(i))
				else
					follows = 1
			}
			done = 1
			i = closing(i)
		} else if (t == "=" || t == "," || t == "[") {
			follows = t == "[" ? follows : 0
			done = 1
			if (t == "[")
				i = closing(i)
		} else if (kind[i] == "name" && !done) {
			name = i
		}
	}
	last = i
}

# The tag, and what is declared with it, behind `struct`, `union` or `enum` at i; returns the last token.
function parse_tag(i, noting,  word, tag) {
	word = text[i]
	tag = next_code(i)
	if (kind[tag] != "name")
		tag = i
	if (text[next_code(tag)] != "{")
		return tag
	if (noting && tag != i)
		note(noting, "tag " text[tag])
	i = next_code(tag)
	if (word == "enum" && noting)
		note_enumerators(noting, i)
	return closing(i)
}

function note_enumerators(file, i,  end, before) {
	end = closing(i)
	for (; i < end; i = next_code(i)) {
		if (kind[i] == "name" && (before == "{" || before == ","))
			note(file, text[i])
		before = text[i]
	}
}

# ---- names

# Names in prof.h are public.
function read_public(  i) {
	read_tokens("libprof/prof.h")
	for (i = 1; i <= tokens; i++)
		if (kind[i] == "name")
			public[text[i]] = 1
}

function note(file, what) {
	if ((what, file) in noted)
		return
	noted[what, file] = 1
	if (++times[what] > 1)
		twice[what] = 1
}

# The names that a file gives at file scope and that nobody else is to see.
function learn(file,  i, words) {
	read_tokens(file)
	for (i = 1; i <= tokens; i++) {
		split(text[i], words, /[ \t]+/)
		if (kind[i] == "line" && words[1] == "#define" && words[3] == "static")
			means_static[words[2]] = 1
	}
	for (i = next_code(0); i <= tokens; i = next_code(last)) {
		parse(i, file)
		if (name && (linkage == "static" || linkage == "typedef"))
			note(file, text[name])
	}
}

# ---- output

function own_name(file, word,  stem) {
	stem = file
	sub(/.*\//, "", stem)
	sub(/\.c$/, "", stem)
	return stem "_" word
}

# Members have a space of names of their own: behind a dot or an arrow, and where they are declared.
function is_member(i, before, inside) {
	return before == "." || before == "->" || (inside == "members" && text[next_code(i)] ~ /^[[;,:]$/)
}

# Gives the names of the file that others have, too, the file's name; words of macros included.
function rename(file,  i, old, before, depth, inside, opens) {
	for (i = 1; i <= tokens; i++) {
		if (kind[i] == "line" && text[i] !~ /^#[ \t]*include/)
			text[i] = rename_line(file, text[i])
		if (!is_code(i))
			continue
		old = text[i]
		if (old == "{") {
			inside[++depth] = opens ? "members" : "code"
		} else if (old == "}") {
			depth--
		} else if (kind[i] == "name" && is_doubled(file, (is_tagged(before) ? "tag " : "") old) &&
		           !is_member(i, before, inside[depth])) {
			text[i] = own_name(file, old)
		}
		# A brace behind `struct` or behind `struct tag` is one of members.
		opens = old == "struct" || old == "union" || (opens && (before == "struct" || before == "union"))
		before = old
	}
}

function is_doubled(file, what) {
	return (what, file) in noted && what in twice
}

function rename_line(file, line,  done, word) {
	done = ""
	while (match(line, /[A-Za-z_][A-Za-z_0-9]*/)) {
		word = substr(line, RSTART, RLENGTH)
		if (is_doubled(file, word) && substr(line, 1, RSTART - 1) !~ /(\.|->)$/)
			word = own_name(file, word)
		done = done substr(line, 1, RSTART - 1) word
		line = substr(line, RSTART + RLENGTH)
	}
	return done line
}

function make_static(  i) {
	for (i = next_code(0); i <= tokens; i = next_code(last)) {
		parse(i, "")
		if (!name || linkage == "static" || linkage == "typedef" || text[name] in public)
			continue
		if (text[first] == "extern")
			text[first] = "static"
		else
			text[first] = "static " text[first]
	}
}

function included(line) { # the file that the line includes, "": none of ours
	if (line !~ /^#[ \t]*include[ \t]*"/)
		return ""
	sub(/^[^"]*"/, "", line)
	sub(/".*/, "", line)
	return line
}

# As one string, with lines \001FILE for what it includes: tokens are of one file at a time.
function whole(  i, out, header) {
	out = ""
	for (i = 1; i <= tokens; i++) {
		header = kind[i] == "line" ? included(text[i]) : ""
		out = out (header == "" ? text[i] : "\001" header)
	}
	return out
}

function write(out,  lines, n, i) {
	n = split(out, lines, "\n")
	for (i = 1; i < n; i++) {
		if (substr(lines[i], 1, 1) == "\001")
			write_header(substr(lines[i], 2))
		else
			print lines[i]
	}
}

function write_header(file) {
	if (file in written || file == "libprof/prof.h" || file == "prof.h")
		return
	written[file] = 1
	if (!(file in given))
		die(file " is included, and not among the library's sources")
	read_tokens(file)
	make_static()
	print "/* ==== " file " */"
	write(whole())
}

# Macros that stand in for what the system lacks (#ifndef before them) stay.
function macros(  i, words, before, out) {
	out = ""
	for (i = 1; i <= tokens; i++) {
		if (kind[i] != "line")
			continue
		split(text[i], words, /[ \t(]+/)
		if (words[1] == "#define" && before != "#ifndef " words[2] && !((words[2]) in seen_macro))
			out = out "#undef " words[2] "\n"
		before = words[1] " " words[2]
	}
	return out
}

function write_source(file,  ends) {
	read_tokens(file)
	rename(file)
	make_static()
	ends = macros()
	print "\n/* ==== " file " */"
	write(whole())
	printf "%s", ends
}
