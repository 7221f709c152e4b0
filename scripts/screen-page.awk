# screen-page.awk: makes an HTML page of a terminal's screen, from the lines that
# tmux capture-pane -e prints.  A character is 8 pixels wide and 16 high.

# Returns one of the 256 colours of a terminal: 16 to 231 are a cube with 6
# levels of red, green and blue, and the greys follow.
function level(n) { return n ? 55 + 40 * n : 0 }
function colour(n) {
	if (n < 16)
		return base[n + 1]
	if (n >= 232)
		return sprintf("rgb(%d,%d,%d)", 8 + 10 * (n - 232), 8 + 10 * (n - 232), 8 + 10 * (n - 232))
	n -= 16
	return sprintf("rgb(%d,%d,%d)", level(int(n / 36)), level(int(n / 6) % 6), level(n % 6))
}

# Applies the numbers of one sequence: ESC [ codes m.
function apply(codes,    code, count, i) {
	count = split(codes == "" ? "0" : codes, code, ";")
	for (i = 1; i <= count; i++) {
		if (code[i] == 0) {
			ink = FORE
			paper = BACK
			bold = reverse = 0
		} else if (code[i] == 1)
			bold = 1
		else if (code[i] == 7)
			reverse = 1
		else if (code[i] == 39)
			ink = FORE
		else if (code[i] == 49)
			paper = BACK
		else if (code[i] == 38 || code[i] == 48) {
			if (code[i] == 38)
				ink = colour(code[i + 2])
			else
				paper = colour(code[i + 2])
			i += 2
		} else if (code[i] >= 30 && code[i] <= 37)
			ink = colour(code[i] - 30)
		else if (code[i] >= 40 && code[i] <= 47)
			paper = colour(code[i] - 40)
	}
}

function put(text,    front, back) {
	if (text == "")
		return
	gsub(/&/, "\\&amp;", text)
	gsub(/</, "\\&lt;", text)
	front = reverse ? paper : ink
	back = reverse ? ink : paper
	printf "<span style=\"color:%s%s%s\">%s</span>", front, back == BACK ? "" : ";background:" back,
		bold ? ";font-weight:bold" : "", text
}

BEGIN {
	split("#000 #c33 #0a6 #ba1 #27c #b3b #19b #ccc #666 #f44 #2d8 #fe4 #38e #d6d #2bd #fff", base, " ")
	FORE = "#ccc"
	BACK = "#101014"
	apply("0")
	print "<!DOCTYPE html><meta charset=utf-8><style>"
	print "html { background: " BACK "; }"
	print "body { margin: 8px; font: 13.288px/16px 'DejaVu Sans Mono', monospace; white-space: pre; }"
	printf "</style><body>"
}

{
	line = $0
	while (match(line, /\033\[[0-9;]*m/)) {
		put(substr(line, 1, RSTART - 1))
		apply(substr(line, RSTART + 2, RLENGTH - 3))
		line = substr(line, RSTART + RLENGTH)
	}
	put(line)
	print ""
}
