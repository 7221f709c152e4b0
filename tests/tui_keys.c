/* SPDX-License-Identifier: MIT */
/*
 * tui_keys: every command of the table of keys (tui/widgets/commands.c) has a test that shows what it does. A command
 * without one fails here.
 *
 * Each begins anew with the game of tui_stage.h, of 100 frames: in frame 40 ai takes long, and a note is left; in 70
 * physics does, and there is an event. The counter bodies follows physics. What is expected are the lines of the
 * screen that are others than before the key.
 */
#include "tests/tui_stage.h"

#define MS INT64_C(1000000)

struct step {
	enum command command;
	const char *name;
	const char *before, *key, *behind; /* typed: arrows as they are, ⇠ ⇢ with Shift, ↞ ↠ with
				    * Ctrl, ⇞ ⇟ pages, ⇱ ⇲ the ends, ⇥ Tab, ⎋ Esc */
	unsigned effects;                  /* what the key wants done outside */
	const char *changed;
};

static const struct step steps[] = {
	/* moving */
	{ COMMAND_DOWN, "down", "", "j", "", 0,
"    draw               4.000     4.000       1   25.0%  ▇▇▇▇▇▇▇▇     .     0.700\n"
"> + ai                 3.000     4.000       2   18.8%  ▇▇▇▇▇▇▇▇    ##     0.900\n"
"→ Drill  p Pause  [ Older  w Worst  Tab Frames  d Why  ? Help  q Quit        2/8\n" },
	{ COMMAND_UP, "up", "jj", "k", "", 0,
"> + ai                 3.000     4.000       2   18.8%  ▇▇▇▇▇▇▇▇    ##     0.900\n"
"  + physics            2.000     3.000       1   12.5%  ▇▁▁▁▁▁▁▁    ##     0.900\n"
"→ Drill  p Pause  [ Older  w Worst  Tab Frames  d Why  ? Help  q Quit        2/8\n" },
	{ COMMAND_PAGE_DOWN, "a page down", "4", "⇟", "", 0,
"▲   ZONE                   SELF ms  HIER ms▼   COUNT  %FRAME    AVG ms    MAX ms\n"
"    - update                 1.000    11.000       1   68.8%    11.000     1.000\n"
"      - ai                   3.000     4.000       2   25.0%     2.000     0.900\n"
"          ray                1.000     1.000      10*   6.3%     0.100     0.100\n"
"      - physics              2.000     3.000       1   18.8%     3.000     0.900\n"
"          ray                1.000     1.000       5*   6.3%     0.200     0.100\n"
"      - walk                 1.000     3.000       1   18.8%     3.000     0.800\n"
"        - walk               1.000     2.000       1   12.5%     2.000     0.800\n"
">           leaf             1.000     1.000       1    6.3%     1.000     0.800\n"
"→ Drill  p Pause  [ Older  w Worst  Tab Frames  d Why  ? Help  q Quit       9/10\n" },
	{ COMMAND_PAGE_UP, "a page up", "4G", "⇞", "", 0,
">   - update                 1.000    11.000       1   68.8%    11.000     1.000\n"
"      - ai                   3.000     4.000       2   25.0%     2.000     0.900\n"
"          ray                1.000     1.000      10*   6.3%     0.100     0.100\n"
"      - physics              2.000     3.000       1   18.8%     3.000     0.900\n"
"          ray                1.000     1.000       5*   6.3%     0.200     0.100\n"
"      - walk                 1.000     3.000       1   18.8%     3.000     0.800\n"
"        - walk               1.000     2.000       1   12.5%     2.000     0.800\n"
"            leaf             1.000     1.000       1    6.3%     1.000     0.800\n"
"→ Drill  p Pause  [ Older  w Worst  Tab Frames  d Why  ? Help  q Quit       2/10\n" },
	{ COMMAND_LAST, "the last row", "", "G", "", 0,
"    draw               4.000     4.000       1   25.0%  ▇▇▇▇▇▇▇▇     .     0.700\n"
">   (no zone)          1.000         -       -    6.3%  ▇▇▇▇▇▇▇▇               -\n"
"p Pause  [ Older  w Worst  Tab Frames  d Why  / Search  ? Help  q Quit       8/8\n" },
	{ COMMAND_FIRST, "the first row", "jjj", "g", "", 0,
">   draw               4.000     4.000       1   25.0%  ▇▇▇▇▇▇▇▇     .     0.700\n"
"    ray                2.000     2.000      15*  12.5%  ▇▇▇▇▇▇▇▇     .     0.100\n"
"→ Drill  p Pause  [ Older  w Worst  Tab Frames  d Why  ? Help  q Quit        1/8\n" },
	{ COMMAND_DRILL, "into a call graph", "/ray\r", "→", "", 0,
" 1 Self 2 Hier[3 Graph]4 Tree 5 Why 6 Time 7 Count E Event … main  newest frame\n"
" path: [ray]\n"
"    ZONE         SELF ms  HIER ms▼   COUNT  %FRAME  SHARE         TREND     HEAT\n"
"    + physics      1.000     1.000       5    6.3%   50.0% ###    ▇▁▁▁▁▁▁▁\n"
"    + ai           1.000     1.000      10    6.3%   50.0% ###    ▇▇▇▇▇▇▇▇\n"
"> - ray            2.000     2.000      15*  12.5%  100.0% #####  ▇▇▇▇▇▇▇▇     .\n\n\n\n"
" calls min/avg/max 15/15/15   in 100 frames\n"
"← Back  p Pause  [ Older  w Worst  Tab Frames  d Why  / Search  ? Help       3/3\n" },
	{ COMMAND_CALLER, "into the largest caller", "/ray\r", "u", "", 0,
" 1 Self 2 Hier[3 Graph]4 Tree 5 Why 6 Time 7 Count E Event … main  newest frame\n"
" path: [physics] › ray\n"
"    ZONE         SELF ms  HIER ms▼   COUNT  %FRAME  SHARE         TREND     HEAT\n"
"    + update       2.000     3.000       1   18.8%  100.0% #####  ▇▃▃▃▃▃▃▃\n"
"> - physics        2.000     3.000       1   18.8%  100.0% #####  ▇▁▁▁▁▁▁▁    ##\n"
"        ray        1.000     1.000       5*   6.3%   33.3% ##     ▇▇▇▇▇▇▇▇\n\n\n\n"
" calls min/avg/max 1/1/1   in 100 frames\n"
"← Back  p Pause  [ Older  w Worst  Tab Frames  d Why  / Search  ? Help       2/3\n" },
	{ COMMAND_BACK, "back", "/ray\r→u", "←", "", 0,
" path: [ray]\n"
"    + physics      1.000     1.000       5    6.3%   50.0% ###    ▇▁▁▁▁▁▁▁\n"
"    + ai           1.000     1.000      10    6.3%   50.0% ###    ▇▇▇▇▇▇▇▇\n"
"> - ray            2.000     2.000      15*  12.5%  100.0% #####  ▇▇▇▇▇▇▇▇     .\n"
" calls min/avg/max 15/15/15   in 100 frames\n"
"← Back  p Pause  [ Older  w Worst  Tab Frames  d Why  / Search  ? Help       3/3\n" },
	{ COMMAND_BACK, "back to the left of j", "/ray\r→u", "h", "", 0,
" path: [ray]\n"
"    + physics      1.000     1.000       5    6.3%   50.0% ###    ▇▁▁▁▁▁▁▁\n"
"    + ai           1.000     1.000      10    6.3%   50.0% ###    ▇▇▇▇▇▇▇▇\n"
"> - ray            2.000     2.000      15*  12.5%  100.0% #####  ▇▇▇▇▇▇▇▇     .\n"
" calls min/avg/max 15/15/15   in 100 frames\n"
"← Back  p Pause  [ Older  w Worst  Tab Frames  d Why  / Search  ? Help       3/3\n" },
	{ COMMAND_PATH, "only stacks with a zone", "/ray\r", "P", "", 0,
"game[4711]  LIVE 00:00:00  62.5 fps  frame 100  16.00 ms  p99 36.0  max 43.0\n"
"[1 Self]2 Hier 3 Graph 4 Tree 5 Why 6 Time 7 Count E Event …\n"
" thread: main   the newest frame   only stacks with ray (P)\n"
"    ZONE            SELF ms▼   HIER ms   COUNT  %FRAME  TREND     HEAT    MAX ms\n"
">   ray                2.000     2.000      15*  12.5%  ▇▇▇▇▇▇▇▇     .     0.100\n"
"  + ai                 0.000     1.000       0    0.0%               .         -\n"
"  + physics            0.000     1.000       0    0.0%               .         -\n"
"  + update             0.000     2.000       0    0.0%               .         -\n"
"    (no zone)          0.000         -       -    0.0%                         -\n\n\n"
" running   profiling cost ≥30.0 %   ◆ main: level 3 loaded\n"
"→ Drill  p Pause  [ Older  w Worst  Tab Frames  d Why  ? Help  q Quit        1/5\n" },
	{ COMMAND_VIEW_SELF, "by self time", "2", "1", "", 0,
"[1 Self]2 Hier 3 Graph 4 Tree 5 Why 6 Time 7 Count E Event … main  newest frame\n"
"    ZONE            SELF ms▼   HIER ms   COUNT  %FRAME  TREND     HEAT    MAX ms\n"
">   draw               4.000     4.000       1   25.0%  ▇▇▇▇▇▇▇▇     .     0.700\n"
"  + ai                 3.000     4.000       2   18.8%  ▇▇▇▇▇▇▇▇    ##     0.900\n"
"  + physics            2.000     3.000       1   12.5%  ▇▁▁▁▁▁▁▁    ##     0.900\n"
"    ray                2.000     2.000      15*  12.5%  ▇▇▇▇▇▇▇▇     .     0.100\n"
"  + walk               2.000     3.000       2   12.5%  ▇▇▇▇▇▇▇▇     .     0.800\n"
"    leaf               1.000     1.000       1    6.3%  ▇▇▇▇▇▇▇▇     .     0.800\n"
"  + update             1.000    11.000       1    6.3%  ▇▇▇▇▇▇▇▇     .     1.000\n" },
	{ COMMAND_BOTTOM_UP, "bottom-up", "4", "U", "", 0,
" 1 Self 2 Hier 3 Graph[4 Tree]5 Why 6 Time 7 Count E Event …\n"
" thread: main   the newest frame   bottom-up\n"
"    ZONE                          SELF ms▼   COUNT  %FRAME    AVG ms\n"
"> - all                             16.000       -  100.0%         -\n"
"      draw                           4.000       1   25.0%     4.000\n"
"    - ai                             3.000       2   18.8%     1.500\n"
"        update                       3.000       2   18.8%     1.500\n"
"    - physics                        2.000       1   12.5%     2.000\n"
"        update                       2.000       1   12.5%     2.000\n"
"    - ray                            2.000      15*  12.5%     0.133\n"
"p Pause  [ Older  w Worst  Tab Frames  d Why  / Search  ? Help  q Quit      1/20\n" },
	{ COMMAND_VIEW_HIER, "by hierarchical time", "", "2", "", 0,
" 1 Self[2 Hier]3 Graph 4 Tree 5 Why 6 Time 7 Count E Event … main  newest frame\n"
"    ZONE             SELF ms  HIER ms▼   COUNT  %FRAME  TREND     HEAT    MAX ms\n"
"> + update             1.000    11.000       1   68.8%  ▇▃▃▃▃▃▃▃     -     1.000\n"
"  + ai                 3.000     4.000       2   25.0%  ▇▇▇▇▇▇▇▇     #     0.900\n"
"    draw               4.000     4.000       1   25.0%  ▇▇▇▇▇▇▇▇     .     0.700\n"
"  + physics            2.000     3.000       1   18.8%  ▇▁▁▁▁▁▁▁    ##     0.900\n"
"  + walk               2.000     3.000       2   18.8%  ▇▇▇▇▇▇▇▇     .     0.800\n"
"    ray                2.000     2.000      15*  12.5%  ▇▇▇▇▇▇▇▇     .     0.100\n"
"    leaf               1.000     1.000       1    6.3%  ▇▇▇▇▇▇▇▇     .     0.800\n" },
	{ COMMAND_VIEW_GRAPH, "the call graph of the row", "j", "3", "", 0,
" 1 Self 2 Hier[3 Graph]4 Tree 5 Why 6 Time 7 Count E Event … main  newest frame\n"
" path: [ai]\n"
"    ZONE         SELF ms  HIER ms▼   COUNT  %FRAME  SHARE         TREND     HEAT\n"
"    + update       3.000     4.000       2   25.0%  100.0% #####  ▇▃▃▃▃▃▃▃\n"
"> - ai             3.000     4.000       2   25.0%  100.0% #####  ▇▇▇▇▇▇▇▇     #\n"
"        ray        1.000     1.000      10*   6.3%   25.0% #      ▇▇▇▇▇▇▇▇\n\n\n\n"
" ai.c:20   calls min/avg/max 2/2/2   in 100 frames\n"
"← Back  p Pause  [ Older  w Worst  Tab Frames  d Why  / Search  ? Help       2/3\n" },
	{ COMMAND_VIEW_TREE, "the tree", "", "4", "", 0,
" 1 Self 2 Hier 3 Graph[4 Tree]5 Why 6 Time 7 Count E Event … main  newest frame\n"
"    ZONE                   SELF ms  HIER ms▼   COUNT  %FRAME    AVG ms    MAX ms\n"
"> - all                      1.000    16.000       -  100.0%         -         -\n"
"    - update                 1.000    11.000       1   68.8%    11.000     1.000\n"
"      - ai                   3.000     4.000       2   25.0%     2.000     0.900\n"
"          ray                1.000     1.000      10*   6.3%     0.100     0.100\n"
"      - physics              2.000     3.000       1   18.8%     3.000     0.900\n"
"          ray                1.000     1.000       5*   6.3%     0.200     0.100\n"
"      - walk                 1.000     3.000       1   18.8%     3.000     0.800\n"
"        - walk               1.000     2.000       1   12.5%     2.000     0.800\n"
"p Pause  [ Older  w Worst  Tab Frames  d Why  / Search  ? Help  q Quit      1/10\n" },
	{ COMMAND_FOLD, "fold a row", "4jj", "-", "", 0,
">     + ai                   3.000     4.000       2   25.0%     2.000     0.900\n"
"      - physics              2.000     3.000       1   18.8%     3.000     0.900\n"
"          ray                1.000     1.000       5*   6.3%     0.200     0.100\n"
"      - walk                 1.000     3.000       1   18.8%     3.000     0.800\n"
"        - walk               1.000     2.000       1   12.5%     2.000     0.800\n"
"            leaf             1.000     1.000       1    6.3%     1.000     0.800\n"
"→ Drill  p Pause  [ Older  w Worst  Tab Frames  d Why  ? Help  q Quit        3/9\n" },
	{ COMMAND_UNFOLD, "unfold a row", "4jj-", "+", "", 0,
">     - ai                   3.000     4.000       2   25.0%     2.000     0.900\n"
"          ray                1.000     1.000      10*   6.3%     0.100     0.100\n"
"      - physics              2.000     3.000       1   18.8%     3.000     0.900\n"
"          ray                1.000     1.000       5*   6.3%     0.200     0.100\n"
"      - walk                 1.000     3.000       1   18.8%     3.000     0.800\n"
"        - walk               1.000     2.000       1   12.5%     2.000     0.800\n"
"→ Drill  p Pause  [ Older  w Worst  Tab Frames  d Why  ? Help  q Quit       3/10\n" },
	{ COMMAND_UNFOLD_ALL, "fold everything", "4", "*", "", 0,
"    + update                 1.000    11.000       1   68.8%    11.000     1.000\n"
"      draw                   4.000     4.000       1   25.0%     4.000     0.700\n\n\n\n\n\n"
"p Pause  [ Older  w Worst  Tab Frames  d Why  / Search  ? Help  q Quit       1/3\n" },
	{ COMMAND_UNFOLD_ALL, "unfold everything", "4*", "*", "", 0,
"    - update                 1.000    11.000       1   68.8%    11.000     1.000\n"
"      - ai                   3.000     4.000       2   25.0%     2.000     0.900\n"
"          ray                1.000     1.000      10*   6.3%     0.100     0.100\n"
"      - physics              2.000     3.000       1   18.8%     3.000     0.900\n"
"          ray                1.000     1.000       5*   6.3%     0.200     0.100\n"
"      - walk                 1.000     3.000       1   18.8%     3.000     0.800\n"
"        - walk               1.000     2.000       1   12.5%     2.000     0.800\n"
"p Pause  [ Older  w Worst  Tab Frames  d Why  / Search  ? Help  q Quit      1/10\n" },
	/* time */
	{ COMMAND_PAUSE, "pause", "", "p", "", 0,
"PAUSED  frame 100  −1 (0.0 ms)  16.00 ms  1.2 cores  median 16.0  game[4711]\n"
"   ms       −1.0 s ◆                          −0.5 s                           ▲\n"
"[1 Self]2 Hier 3 Graph 4 Tree 5 Why 6 Time 7 Count E Event … main  this frame\n"
"  + ai                 3.000     4.000       2   18.8%  ▇▇▇▇▇▇▇▇     .     0.900\n"
"  + physics            2.000     3.000       1   12.5%  ▇▁▁▁▁▁▁▁     .     0.900\n"
" region -, 1.6 s of history   running   profiling cost ≥5.8 %\n"
"→ Drill  p Live  [ Older  w Worst  Tab Frames  d Why  / Search  ? Help       1/8\n" },
	{ COMMAND_PAUSE, "live again", "p[", "p", "", 0,
"game[4711]  LIVE 00:00:00  62.5 fps  16.00 ms  1.2 cores  p99 36.0  max 43.0\n"
"   ms       −1.0 s ◆                          −0.5 s                         now\n"
"[1 Self]2 Hier 3 Graph 4 Tree 5 Why 6 Time 7 Count E Event … main  newest frame\n"
"  + ai                 3.000     4.000       2   18.8%  ▇▇▇▇▇▇▇▇    ##     0.900\n"
"  + physics            2.000     3.000       1   12.5%  ▇▁▁▁▁▁▁▁    ##     0.900\n"
" region -, 1.6 s of history   running   ◆ main: level 3 loaded\n"
"→ Drill  p Pause  [ Older  w Worst  Tab Frames  d Why  ? Help  q Quit        1/8\n" },
	{ COMMAND_OLDER, "a frame back", "p", "[", "", 0,
"PAUSED  frame 99  −2 (−16.0 ms)  16.00 ms  1.2 cores  median 16.0  game[4711]\n"
"   ms       −1.0 s ◆                          −0.5 s                          ▲\n"
"→ Drill  p Live  [ Older  ] Newer  w Worst  Tab Frames  d Why  ? Help        1/8\n" },
	{ COMMAND_OLDER, "a frame back pauses", "", "[", "", 0,
"PAUSED  frame 99  −2 (−16.0 ms)  16.00 ms  1.2 cores  median 16.0  game[4711]\n"
"   ms       −1.0 s ◆                          −0.5 s                          ▲\n"
"[1 Self]2 Hier 3 Graph 4 Tree 5 Why 6 Time 7 Count E Event … main  this frame\n"
"  + ai                 3.000     4.000       2   18.8%  ▇▇▇▇▇▇▇▇     .     0.900\n"
"  + physics            2.000     3.000       1   12.5%  ▇▁▁▁▁▁▁▁     .     0.900\n"
" region -, 1.6 s of history   running   profiling cost ≥5.8 %\n"
"→ Drill  p Live  [ Older  ] Newer  w Worst  Tab Frames  d Why  ? Help        1/8\n" },
	{ COMMAND_OLDER, "a frame back with Shift", "p", "⇠", "", 0,
"PAUSED  frame 99  −2 (−16.0 ms)  16.00 ms  1.2 cores  median 16.0  game[4711]\n"
"   ms       −1.0 s ◆                          −0.5 s                          ▲\n"
"→ Drill  p Live  [ Older  ] Newer  w Worst  Tab Frames  d Why  ? Help        1/8\n" },
	{ COMMAND_OLDER_10, "ten frames back", "p", "{", "", 0,
"PAUSED  frame 90  −11 (−0.2 s)  16.00 ms  1.2 cores  median 16.0  game[4711]\n"
"   ms       −1.0 s ◆                          −0.5 s                 ▲     pause\n"
"  + physics            2.000     3.000       1   12.5%  ▁▁▇▁▁▁▁▁     .     0.900\n"
"→ Drill  p Live  [ Older  ] Newer  w Worst  Tab Frames  d Why  ? Help        1/8\n" },
	{ COMMAND_OLDER_10, "ten frames back with Ctrl", "p", "↞", "", 0,
"PAUSED  frame 90  −11 (−0.2 s)  16.00 ms  1.2 cores  median 16.0  game[4711]\n"
"   ms       −1.0 s ◆                          −0.5 s                 ▲     pause\n"
"  + physics            2.000     3.000       1   12.5%  ▁▁▇▁▁▁▁▁     .     0.900\n"
"→ Drill  p Live  [ Older  ] Newer  w Worst  Tab Frames  d Why  ? Help        1/8\n" },
	{ COMMAND_NEWER, "a frame on", "p[[", "]", "", 0,
"PAUSED  frame 99  −2 (−16.0 ms)  16.00 ms  1.2 cores  median 16.0  game[4711]\n"
"   ms       −1.0 s ◆                          −0.5 s                          ▲\n" },
	{ COMMAND_NEWER, "a frame on with Shift", "p[[", "⇢", "", 0,
"PAUSED  frame 99  −2 (−16.0 ms)  16.00 ms  1.2 cores  median 16.0  game[4711]\n"
"   ms       −1.0 s ◆                          −0.5 s                          ▲\n" },
	{ COMMAND_NEWER_10, "ten frames on", "p{{", "}", "", 0,
"PAUSED  frame 90  −11 (−0.2 s)  16.00 ms  1.2 cores  median 16.0  game[4711]\n"
"   ms       −1.0 s ◆                          −0.5 s                 ▲     pause\n"
"  + physics            2.000     3.000       1   12.5%  ▁▁▇▁▁▁▁▁     .     0.900\n" },
	{ COMMAND_NEWER_10, "ten frames on with Ctrl", "p{{", "↠", "", 0,
"PAUSED  frame 90  −11 (−0.2 s)  16.00 ms  1.2 cores  median 16.0  game[4711]\n"
"   ms       −1.0 s ◆                          −0.5 s                 ▲     pause\n"
"  + physics            2.000     3.000       1   12.5%  ▁▁▇▁▁▁▁▁     .     0.900\n" },
	{ COMMAND_MARK, "a mark", "p[[", "m", "k", 0,
"mark k: frame 98 · to compare, go to another frame, press D, and choose the mark\n" },
	{ COMMAND_GO_TO_MARK, "to a mark", "p[[mk{", "'", "k", 0,
"PAUSED  frame 98  −3 (−32.0 ms)  16.00 ms  1.2 cores  median 16.0  game[4711]\n"
"   ms       −1.0 s ◆                          −0.5 s                         ▲\n"
"  + physics            2.000     3.000       1   12.5%  ▇▁▁▁▁▁▁▁     .     0.900\n" },
	{ COMMAND_BUDGET, "a budget", "", "b", "30\r", 0,
" 30.0┼╌╌╌╌╌╌╌╌╌╌╌╌╌▃╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌▂╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌\n"
"     │▄▄▄▄▄▄▄▄▄▄▄▄▄█▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄█▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄\n"
"2 frames over 30.0 ms · # previous · $ next\n" },
	{ COMMAND_WORST, "the worst frame", "", "w", "", 0,
"PAUSED  frame 40  −61 (−1.0 s)  43.00 ms  1.1 cores  median 16.0  game[4711]\n"
"   ms       −1.0 s ▲                          −0.5 s                       pause\n"
"[1 Self]2 Hier 3 Graph 4 Tree 5 Why 6 Time 7 Count E Event … main  this frame\n"
"> + ai                30.000    31.000       2   69.8%  ▁▁▁▁▁▁▁▇    ##     0.900\n"
"    draw               4.000     4.000       1    9.3%  ▇▇▇▇▇▇▇▇     .     0.700\n"
"  + physics            2.000     3.000       1    4.7%  ▇▇▇▇▇▇▇▇     .     0.900\n"
"    ray                2.000     2.000      15*   4.7%  ▇▇▇▇▇▇▇▇     .     0.100\n"
"  + walk               2.000     3.000       2    4.7%  ▇▇▇▇▇▇▇▇     .     0.800\n"
"    leaf               1.000     1.000       1    2.3%  ▇▇▇▇▇▇▇▇     .     0.800\n"
"  + update             1.000    38.000       1    2.3%  ▇▇▇▇▇▇▇▇     .     1.000\n"
"   +2.00 ms main       ◆ level 3 loaded\n"
" region -, 1.6 s of history   running   profiling cost ≥2.1 %\n"
"Longest of 100 frames · w next · d why\n" },
	{ COMMAND_WORST, "the next worst frame", "w", "w", "", 0,
"PAUSED  frame 70  −31 (−0.5 s)  36.00 ms  1.1 cores  median 16.0  game[4711]\n"
"   ms       −1.0 s ◆                      −0.5 s ▲                         pause\n"
"> + physics           22.000    23.000       1   61.1%  ▁▁▁▁▁▁▁▇    ##     0.900\n"
"    draw               4.000     4.000       1   11.1%  ▇▇▇▇▇▇▇▇     .     0.700\n"
"  + ai                 3.000     4.000       2    8.3%  ▇▁▁▁▁▁▁▁     .     0.900\n"
"    ray                2.000     2.000      15*   5.6%  ▇▇▇▇▇▇▇▇     .     0.100\n"
"  + walk               2.000     3.000       2    5.6%  ▇▇▇▇▇▇▇▇     .     0.800\n"
"    leaf               1.000     1.000       1    2.8%  ▇▇▇▇▇▇▇▇     .     0.800\n"
"  + update             1.000    31.000       1    2.8%  ▇▇▇▇▇▇▇▇     .     1.000\n"
"   +5.00 ms pool       ◇ saved\n"
" region -, 1.6 s of history   running   profiling cost ≥2.6 %\n"
"2nd longest of 100 frames · w next · d why\n" },
	{ COMMAND_WORST_BACK, "back towards the worst frame", "ww", "W", "", 0,
"PAUSED  frame 40  −61 (−1.0 s)  43.00 ms  1.1 cores  median 16.0  game[4711]\n"
"   ms       −1.0 s ▲                          −0.5 s                       pause\n"
"> + ai                30.000    31.000       2   69.8%  ▁▁▁▁▁▁▁▇    ##     0.900\n"
"    draw               4.000     4.000       1    9.3%  ▇▇▇▇▇▇▇▇     .     0.700\n"
"  + physics            2.000     3.000       1    4.7%  ▇▇▇▇▇▇▇▇     .     0.900\n"
"    ray                2.000     2.000      15*   4.7%  ▇▇▇▇▇▇▇▇     .     0.100\n"
"  + walk               2.000     3.000       2    4.7%  ▇▇▇▇▇▇▇▇     .     0.800\n"
"    leaf               1.000     1.000       1    2.3%  ▇▇▇▇▇▇▇▇     .     0.800\n"
"  + update             1.000    38.000       1    2.3%  ▇▇▇▇▇▇▇▇     .     1.000\n"
"   +2.00 ms main       ◆ level 3 loaded\n"
" region -, 1.6 s of history   running   profiling cost ≥2.1 %\n"
"Longest of 100 frames · w next · d why\n" },
	{ COMMAND_FREEZE, "wait for a long frame", "b30\r", "B", "", 0,
"game[4711]  LIVE 00:00:00  pause > 30.0 ms  62.5 fps  16.00 ms  1.2 cores\n"
"will pause at the first frame over 30.0 ms; B cancels\n" },
	{ COMMAND_FOLLOW, "follow", "p{", "F", "", 0,
"game[4711]  LIVE 00:00:00  62.5 fps  16.00 ms  1.2 cores  p99 36.0  max 43.0\n"
"   ms       −1.0 s ◆                          −0.5 s                         now\n"
"[1 Self]2 Hier 3 Graph 4 Tree 5 Why 6 Time 7 Count E Event … main  newest frame\n"
"  + ai                 3.000     4.000       2   18.8%  ▇▇▇▇▇▇▇▇    ##     0.900\n"
"  + physics            2.000     3.000       1   12.5%  ▇▁▁▁▁▁▁▁    ##     0.900\n"
" region -, 1.6 s of history   running   ◆ main: level 3 loaded\n"
"→ Drill  p Pause  [ Older  w Worst  Tab Frames  d Why  ? Help  q Quit        1/8\n" },
	{ COMMAND_GRAPH, "to the frame graph", "", "⇥", "", 0,
">  ms       −1.0 s ◆                          −0.5 s                         now\n"
"p Pause  [ Older  w Worst  Tab Table  d Why  ← Scrub  ? Help  q Back         1/8\n" },
	{ COMMAND_GRAPH, "from the frame graph", "⇥", "⇥", "", 0,
"   ms       −1.0 s ◆                          −0.5 s                         now\n"
"→ Drill  p Pause  [ Older  w Worst  Tab Frames  d Why  ? Help  q Quit        1/8\n" },
	{ COMMAND_SCRUB_LEFT, "a column back", "⇥", "←", "", 0,
"PAUSED  frame 99  −2 (−16.0 ms)  16.00 ms  1.2 cores  median 16.0  game[4711]\n"
">  ms       −1.0 s ◆                          −0.5 s                          ▲\n"
"[1 Self]2 Hier 3 Graph 4 Tree 5 Why 6 Time 7 Count E Event … main  this frame\n"
"  + ai                 3.000     4.000       2   18.8%  ▇▇▇▇▇▇▇▇     .     0.900\n"
"  + physics            2.000     3.000       1   12.5%  ▇▁▁▁▁▁▁▁     .     0.900\n"
" region -, 1.6 s of history   running   profiling cost ≥5.8 %\n"
"p Live  [ Older  ] Newer  w Worst  d Why  ← Scrub  ? Help  q Back            1/8\n" },
	{ COMMAND_SCRUB_RIGHT, "a column on", "⇥←←←", "→", "", 0,
"PAUSED  frame 98  −3 (−32.0 ms)  16.00 ms  1.2 cores  median 16.0  game[4711]\n"
">  ms       −1.0 s ◆                          −0.5 s                         ▲\n"
"  + physics            2.000     3.000       1   12.5%  ▇▁▁▁▁▁▁▁     .     0.900\n" },
	{ COMMAND_ZOOM_OUT, "zoom out", "⇥", "↓", "", 0,
" 20.0┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌43.0 ms!╌╌╌╌╌╌╌╌╌╌╌╌╌╌▆╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌\n"
"     │                       ▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆█▆▆▆▆▆▆▆▆▆▆▆▆▆▆█▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆\n"
">  ms 1 column = 2 frames, max            −1.0 s ◆           −0.5 s          now\n" },
	{ COMMAND_ZOOM_IN, "zoom in", "⇥↓", "↑", "", 0,
" 20.0┼╌╌╌╌╌╌43.0 ms!╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌▆╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌\n"
"     │▆▆▆▆▆▆▆▆▆▆▆▆▆█▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆█▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆\n"
">  ms       −1.0 s ◆                          −0.5 s                         now\n" },
	{ COMMAND_PAN_LEFT, "pan to older frames", "⇥", "⇞", "", 0,
" 20.0┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌43.0 ms!╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌▆╌╌╌╌\n"
"     │▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆█▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆█▆▆▆▆\n"
">  ms       −1.5 s                    −1.0 s ◆                          −0.5 s\n" },
	{ COMMAND_PAN_RIGHT, "pan to newer frames", "⇥⇞", "⇟", "", 0,
" 20.0┼╌╌╌╌╌╌43.0 ms!╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌▆╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌\n"
"     │▆▆▆▆▆▆▆▆▆▆▆▆▆█▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆█▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆\n"
">  ms       −1.0 s ◆                          −0.5 s                         now\n" },
	{ COMMAND_OLDEST, "the oldest frame", "⇥", "⇱", "", 0,
"PAUSED  frame 1  −100 (−1.6 s)  16.00 ms  1.2 cores  median 16.0  game[4711]\n"
" 20.0┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌43.0 ms!╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌▆╌╌╌╌\n"
"     │▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆█▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆█▆▆▆▆\n"
">  ms ▲     −1.5 s                    −1.0 s ◆                          −0.5 s\n"
"[1 Self]2 Hier 3 Graph 4 Tree 5 Why 6 Time 7 Count E Event … main  this frame\n"
">   draw               4.000     4.000       1   25.0%         ▇     .     0.700\n"
"  + ai                 3.000     4.000       2   18.8%         ▇     .     0.900\n"
"  + physics            2.000     3.000       1   12.5%         ▇     .     0.900\n"
"    ray                2.000     2.000      15*  12.5%         ▇     .     0.100\n"
"  + walk               2.000     3.000       2   12.5%         ▇     .     0.800\n"
"    leaf               1.000     1.000       1    6.3%         ▇     .     0.800\n"
"  + update             1.000    11.000       1    6.3%         ▇     .     1.000\n"
"    (no zone)          1.000         -       -    6.3%         ▇               -\n"
" region -, 1.6 s of history   running   profiling cost ≥5.8 %\n"
"p Live  ] Newer  w Worst  Tab Table  d Why  → Scrub  ? Help  q Back          1/8\n" },
	{ COMMAND_NEWEST, "the newest frame", "⇥⇱", "⇲", "", 0,
"PAUSED  frame 100  −1 (0.0 ms)  16.00 ms  1.2 cores  median 16.0  game[4711]\n"
" 20.0┼╌╌╌╌╌╌43.0 ms!╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌▆╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌\n"
"     │▆▆▆▆▆▆▆▆▆▆▆▆▆█▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆█▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆\n"
">  ms       −1.0 s ◆                          −0.5 s                           ▲\n"
">   draw               4.000     4.000       1   25.0%  ▇▇▇▇▇▇▇▇     .     0.700\n"
"  + ai                 3.000     4.000       2   18.8%  ▇▇▇▇▇▇▇▇     .     0.900\n"
"  + physics            2.000     3.000       1   12.5%  ▇▁▁▁▁▁▁▁     .     0.900\n"
"    ray                2.000     2.000      15*  12.5%  ▇▇▇▇▇▇▇▇     .     0.100\n"
"  + walk               2.000     3.000       2   12.5%  ▇▇▇▇▇▇▇▇     .     0.800\n"
"    leaf               1.000     1.000       1    6.3%  ▇▇▇▇▇▇▇▇     .     0.800\n"
"  + update             1.000    11.000       1    6.3%  ▇▇▇▇▇▇▇▇     .     1.000\n"
"    (no zone)          1.000         -       -    6.3%  ▇▇▇▇▇▇▇▇               -\n"
"p Live  [ Older  w Worst  Tab Table  d Why  ← Scrub  ? Help  q Back          1/8\n" },
	{ COMMAND_OVER_BEFORE, "over the budget, before", "b20\r", "#", "", 0,
"PAUSED  frame 70  −31 (−0.5 s)  36.00 ms  OVER +16.0  1.1 cores  median 16.0\n"
"   ms       −1.0 s ◆                      −0.5 s ▲                         pause\n"
"[1 Self]2 Hier 3 Graph 4 Tree 5 Why 6 Time 7 Count E Event … main  this frame\n"
"> + physics           22.000    23.000       1   61.1%  ▁▁▁▁▁▁▁▇    ##     0.900\n"
"    draw               4.000     4.000       1   11.1%  ▇▇▇▇▇▇▇▇     .     0.700\n"
"  + ai                 3.000     4.000       2    8.3%  ▇▁▁▁▁▁▁▁     .     0.900\n"
"    ray                2.000     2.000      15*   5.6%  ▇▇▇▇▇▇▇▇     .     0.100\n"
"  + walk               2.000     3.000       2    5.6%  ▇▇▇▇▇▇▇▇     .     0.800\n"
"    leaf               1.000     1.000       1    2.8%  ▇▇▇▇▇▇▇▇     .     0.800\n"
"  + update             1.000    31.000       1    2.8%  ▇▇▇▇▇▇▇▇     .     1.000\n"
"   +5.00 ms pool       ◇ saved\n"
" region -, 1.6 s of history   running   profiling cost ≥2.6 %\n"
"2nd of 2 frames over 20.0 ms · # previous · $ next\n" },
	{ COMMAND_OVER_AFTER, "over the budget, after", "b20\r##", "$", "", 0,
"PAUSED  frame 70  −31 (−0.5 s)  36.00 ms  OVER +16.0  1.1 cores  median 16.0\n"
"   ms       −1.0 s ◆                      −0.5 s ▲                         pause\n"
"> + physics           22.000    23.000       1   61.1%  ▁▁▁▁▁▁▁▇    ##     0.900\n"
"    draw               4.000     4.000       1   11.1%  ▇▇▇▇▇▇▇▇     .     0.700\n"
"  + ai                 3.000     4.000       2    8.3%  ▇▁▁▁▁▁▁▁     .     0.900\n"
"    ray                2.000     2.000      15*   5.6%  ▇▇▇▇▇▇▇▇     .     0.100\n"
"  + walk               2.000     3.000       2    5.6%  ▇▇▇▇▇▇▇▇     .     0.800\n"
"    leaf               1.000     1.000       1    2.8%  ▇▇▇▇▇▇▇▇     .     0.800\n"
"  + update             1.000    31.000       1    2.8%  ▇▇▇▇▇▇▇▇     .     1.000\n"
"   +5.00 ms pool       ◇ saved\n"
" region -, 1.6 s of history   running   profiling cost ≥2.6 %\n"
"2nd of 2 frames over 20.0 ms · # previous · $ next\n" },
	{ COMMAND_EVENT_BEFORE, "what happened before", "", "(", "", 0,
"PAUSED  frame 70  −31 (−0.5 s)  36.00 ms  1.1 cores  median 16.0  game[4711]\n"
"   ms       −1.0 s ◆                      −0.5 s ▲                         pause\n"
"[1 Self]2 Hier 3 Graph 4 Tree 5 Why 6 Time 7 Count E Event … main  this frame\n"
"> + physics           22.000    23.000       1   61.1%  ▁▁▁▁▁▁▁▇    ##     0.900\n"
"    draw               4.000     4.000       1   11.1%  ▇▇▇▇▇▇▇▇     .     0.700\n"
"  + ai                 3.000     4.000       2    8.3%  ▇▁▁▁▁▁▁▁     .     0.900\n"
"    ray                2.000     2.000      15*   5.6%  ▇▇▇▇▇▇▇▇     .     0.100\n"
"  + walk               2.000     3.000       2    5.6%  ▇▇▇▇▇▇▇▇     .     0.800\n"
"    leaf               1.000     1.000       1    2.8%  ▇▇▇▇▇▇▇▇     .     0.800\n"
"  + update             1.000    31.000       1    2.8%  ▇▇▇▇▇▇▇▇     .     1.000\n"
"   +5.00 ms pool       ◇ saved\n"
" region -, 1.6 s of history   running   profiling cost ≥2.6 %\n"
"→ Drill  p Live  [ Older  ] Newer  w Worst  Tab Frames  d Why  ? Help        1/8\n" },
	{ COMMAND_EVENT_AFTER, "what happened after", "((", ")", "", 0,
"PAUSED  frame 70  −31 (−0.5 s)  36.00 ms  1.1 cores  median 16.0  game[4711]\n"
"   ms       −1.0 s ◆                      −0.5 s ▲                         pause\n"
"> + physics           22.000    23.000       1   61.1%  ▁▁▁▁▁▁▁▇    ##     0.900\n"
"    draw               4.000     4.000       1   11.1%  ▇▇▇▇▇▇▇▇     .     0.700\n"
"  + ai                 3.000     4.000       2    8.3%  ▇▁▁▁▁▁▁▁     .     0.900\n"
"    ray                2.000     2.000      15*   5.6%  ▇▇▇▇▇▇▇▇     .     0.100\n"
"  + walk               2.000     3.000       2    5.6%  ▇▇▇▇▇▇▇▇     .     0.800\n"
"    leaf               1.000     1.000       1    2.8%  ▇▇▇▇▇▇▇▇     .     0.800\n"
"  + update             1.000    31.000       1    2.8%  ▇▇▇▇▇▇▇▇     .     1.000\n"
"   +5.00 ms pool       ◇ saved\n"
" region -, 1.6 s of history   running   profiling cost ≥2.6 %\n" },
	{ COMMAND_WHY, "why", "w", "d", "", 0,
"PAUSED  frame 40  −61 (−1.0 s)  43.00 ms  1.1 cores  vs median 16.0  game[4711]\n"
" 1 Self 2 Hier 3 Graph 4 Tree[5 Why]6 Time 7 Count E Event … main  this frame\n"
"  43.00 ms: 27.00 ms longer than the median frame (#100, 16.0 ms)\n"
"  ZONE         DELTA ms▼  WHY            FROM COUNT ms  FROM SPEED ms  COUNT\n"
"> ai ‹ update    +27.000  slower calls           0.000        +27.000      2\n\n\n\n\n"
"  sum  +27.000 ms  thread main\n"
"→ Drill  ← Back  p Live  [ Older  ] Newer  d Close why  D Base  ? Help       1/1\n" },
	{ COMMAND_WHY_BASE, "what it is set against", "wmkw", "D", "", 0,
"[1 Self]2 H┌─ Compare the frame with ──────────────────────────────┐his frame\n"
"    ZONE   │ the usual frame     frame 100, 16.00 ms               │AT    MAX ms\n"
"> + physics│ median and similar  frame 100, 16.00 ms               │##     0.900\n"
"    draw   │ the previous frame  frame 69, 16.00 ms                │ .     0.700\n"
"  + ai     │ the shortest frame  frame 100, 16.00 ms               │ .     0.900\n"
"    ray    │ the average         over about 0.8 s before the pause │ .     0.100\n"
"  + walk   │ mark k              frame 40, 43.00 ms                │ .     0.800\n"
"    leaf   └───────────────────────────────────────────────────────┘ .     0.800\n"
"Enter Choose  Esc Back  type to filter\n" },
	{ COMMAND_WHY_BASE, "against the frame before", "wd", "D", "↓↓\r", 0,
"PAUSED  frame 40  −61 (−1.0 s)  43.00 ms  1.1 cores  vs previous 16.0\n"
"  43.00 ms: 27.00 ms longer than the previous frame (#39, 16.0 ms)\n" },
	{ COMMAND_VIEW_WHY, "the view of why", "w", "5", "", 0,
"PAUSED  frame 40  −61 (−1.0 s)  43.00 ms  1.1 cores  vs median 16.0  game[4711]\n"
" 1 Self 2 Hier 3 Graph 4 Tree[5 Why]6 Time 7 Count E Event … main  this frame\n"
"  43.00 ms: 27.00 ms longer than the median frame (#100, 16.0 ms)\n"
"  ZONE         DELTA ms▼  WHY            FROM COUNT ms  FROM SPEED ms  COUNT\n"
"> ai ‹ update    +27.000  slower calls           0.000        +27.000      2\n\n\n\n\n"
"  sum  +27.000 ms  thread main\n"
"→ Drill  ← Back  p Live  [ Older  ] Newer  w Worst  D Base  ? Help           1/1\n" },
	{ COMMAND_VIEW_SELF, "the column of why", "wd", "1", "", 0,
"[1 Self]2 Hier 3 Graph 4 Tree 5 Why 6 Time 7 Count E Event … main  this frame\n"
"    ZONE        SELF ms▼   HIER ms   COUNT  vs median ms  %FRAME  TREND     HEAT\n"
"> + ai            30.000    31.000       2       +27.000   69.8%  ▁▁▁▁▁▁▁▇    ##\n"
"    draw           4.000     4.000       1         0.000    9.3%  ▇▇▇▇▇▇▇▇     .\n"
"  + physics        2.000     3.000       1         0.000    4.7%  ▇▇▇▇▇▇▇▇     .\n"
"    ray            2.000     2.000      15*        0.000    4.7%  ▇▇▇▇▇▇▇▇     .\n"
"  + walk           2.000     3.000       2         0.000    4.7%  ▇▇▇▇▇▇▇▇     .\n"
"    leaf           1.000     1.000       1         0.000    2.3%  ▇▇▇▇▇▇▇▇     .\n"
"  + update         1.000    38.000       1         0.000    2.3%  ▇▇▇▇▇▇▇▇     .\n"
"→ Drill  p Live  [ Older  ] Newer  w Worst  Tab Frames  d Why  ? Help        1/8\n" },
	{ COMMAND_OUT, "without why", "wd1", "⎋", "", 0,
"PAUSED  frame 40  −61 (−1.0 s)  43.00 ms  1.1 cores  median 16.0  game[4711]\n"
"    ZONE            SELF ms▼   HIER ms   COUNT  %FRAME  TREND     HEAT    MAX ms\n"
"> + ai                30.000    31.000       2   69.8%  ▁▁▁▁▁▁▁▇    ##     0.900\n"
"    draw               4.000     4.000       1    9.3%  ▇▇▇▇▇▇▇▇     .     0.700\n"
"  + physics            2.000     3.000       1    4.7%  ▇▇▇▇▇▇▇▇     .     0.900\n"
"    ray                2.000     2.000      15*   4.7%  ▇▇▇▇▇▇▇▇     .     0.100\n"
"  + walk               2.000     3.000       2    4.7%  ▇▇▇▇▇▇▇▇     .     0.800\n"
"    leaf               1.000     1.000       1    2.3%  ▇▇▇▇▇▇▇▇     .     0.800\n"
"  + update             1.000    38.000       1    2.3%  ▇▇▇▇▇▇▇▇     .     1.000\n" },
	{ COMMAND_COMPARE, "compare two marks", "{{mapmb", "c", "", 0,
" 1 Self 2 Hier 3 Graph 4 Tree 5 Why 6 Time 7 Count E Event[c Compare]…\n"
" frames 1 to 80 against 81 to 100   thread: main\n"
"  ZONE       SELF A ms  SELF B ms  SELF B-A ms▼   SELF %  SELF IS\n"
"> frame         16.000     16.000         0.000     0.0%  no evidence\n"
"  (no zone)      1.000      1.000         0.000     0.0%  no evidence\n"
"  update         1.000      1.000         0.000     0.0%  no evidence\n"
"  ai             3.000      3.000         0.000     0.0%  no evidence\n"
"  ray            2.000      2.000         0.000     0.0%  no evidence\n"
"  physics        2.000      2.000         0.000     0.0%  no evidence\n"
"  walk           2.000      2.000         0.000     0.0%  no evidence\n"
"← Back  p Pause  [ Older  w Worst  Tab Frames  d Why  / Search  ? Help       1/9\n" },
	{ COMMAND_VIEW_WORST, "the worst frames", "", "9", "", 0,
" 1 Self 2 Hier 3 Graph 4 Tree 5 Why 6 Time 7 Count E Event[9 Worst]… 100 frames\n"
"   FRAME   AGE s  LENGTH ms▼  BUSY ms  MORE ms  IN ZONE\n"
">     40     1.0      43.000   43.000   27.000  ai\n"
"      70     0.5      36.000   36.000   20.000  physics\n"
"     100     0.0      16.000   16.000        -  -\n"
"      99     0.0      16.000   16.000        -  -\n"
"      98     0.0      16.000   16.000        -  -\n"
"      97     0.0      16.000   16.000        -  -\n"
"      96     0.1      16.000   16.000        -  -\n"
"      95     0.1      16.000   16.000        -  -\n"
"→ Frame  p Pause  [ Older  w Worst  Tab Frames  d Why  ? Help  q Back      1/100\n" },
	{ COMMAND_SORT_RIGHT, "the worst frames by busy time", "9", ">", "", 0,
"   FRAME   AGE s   LENGTH ms  BUSY ms▼  MORE ms  IN ZONE\n"
">     40     1.0      43.000    43.000   27.000  ai\n"
"      70     0.5      36.000    36.000   20.000  physics\n"
"     100     0.0      16.000    16.000        -  -\n"
"      99     0.0      16.000    16.000        -  -\n"
"      98     0.0      16.000    16.000        -  -\n"
"      97     0.0      16.000    16.000        -  -\n"
"      96     0.1      16.000    16.000        -  -\n"
"      95     0.1      16.000    16.000        -  -\n" },
	{ COMMAND_DRILL, "to one of the worst frames", "9j", "→", "", 0,
"PAUSED  frame 70  −31 (−0.5 s)  36.00 ms  1.1 cores  median 16.0  game[4711]\n"
"   ms       −1.0 s ◆                      −0.5 s ▲                         pause\n"
"   +5.00 ms pool       ◇ saved\n"
" region -, 1.6 s of history   running   profiling cost ≥2.6 %\n"
"→ Frame  p Live  [ Older  ] Newer  w Worst  d Why  ? Help  q Back          2/100\n" },
	{ COMMAND_RANGE, "a range of frames", "p\t", "|", "{", 0,
"PAUSED  frame 90  −11 (−0.2 s)  16.00 ms  1.2 cores  median 16.0  game[4711]\n"
">  ms       −1.0 s ◆                          −0.5 s                 ▲─────────]\n"
"  + physics            2.000     3.000       1   12.5%  ▁▁▇▁▁▁▁▁     .     0.900\n"
"11 frames, 0.2 s: Enter selects them, Esc cancels\n" },
	{ COMMAND_SELECT_RANGE, "a range is selected", "p\t|{", "\r", "", 0,
"PAUSED  frames 90–100 (11 frames, 0.2 s)  avg 16.00 ms  1.2 cores  game[4711]\n"
"   ms       −1.0 s ◆                          −0.5 s                 ▲─────────]\n"
"[1 Self]2 Hier 3 Graph 4 Tree 5 Why 6 Time 7 Count E Event … main  11 frames\n"
"    ZONE        SELF ms▼   HIER ms   COUNT  %FRAME  TREND       AVG ms    MAX ms\n"
">   draw           4.000     4.000     1.0   25.0%  ▇▇▇▇▇▇▇▇     4.000     0.700\n"
"  + ai             3.000     4.000     2.0   18.8%  ▇▇▇▇▇▇▇▇     2.000     0.900\n"
"  + physics        2.000     3.000     1.0   12.5%  ▁▁▇▁▁▁▁▁     3.000     0.900\n"
"    ray            2.000     2.000    15.0*  12.5%  ▇▇▇▇▇▇▇▇     0.133     0.100\n"
"  + walk           2.000     3.000     2.0   12.5%  ▇▇▇▇▇▇▇▇     1.500     0.800\n"
"    leaf           1.000     1.000     1.0    6.3%  ▇▇▇▇▇▇▇▇     1.000     0.800\n"
"  + update         1.000    11.000     1.0    6.3%  ▇▇▇▇▇▇▇▇    11.000     1.000\n"
"    (no zone)      1.000         -       -    6.3%  ▇▇▇▇▇▇▇▇         -         -\n"
"11 frames, 0.2 s selected; all views show averages per frame; Esc goes back\n" },
	{ COMMAND_OUT, "back from a range to the frame", "p\t|{\r", "⎋", "", 0,
"PAUSED  frame 90  −11 (−0.2 s)  16.00 ms  1.2 cores  median 16.0  game[4711]\n"
"   ms       −1.0 s ◆                          −0.5 s                 ▲     pause\n"
"[1 Self]2 Hier 3 Graph 4 Tree 5 Why 6 Time 7 Count E Event … main  this frame\n"
"    ZONE            SELF ms▼   HIER ms   COUNT  %FRAME  TREND     HEAT    MAX ms\n"
">   draw               4.000     4.000       1   25.0%  ▇▇▇▇▇▇▇▇     .     0.700\n"
"  + ai                 3.000     4.000       2   18.8%  ▇▇▇▇▇▇▇▇     .     0.900\n"
"  + physics            2.000     3.000       1   12.5%  ▁▁▇▁▁▁▁▁     .     0.900\n"
"    ray                2.000     2.000      15*  12.5%  ▇▇▇▇▇▇▇▇     .     0.100\n"
"  + walk               2.000     3.000       2   12.5%  ▇▇▇▇▇▇▇▇     .     0.800\n"
"    leaf               1.000     1.000       1    6.3%  ▇▇▇▇▇▇▇▇     .     0.800\n"
"  + update             1.000    11.000       1    6.3%  ▇▇▇▇▇▇▇▇     .     1.000\n"
"    (no zone)          1.000         -       -    6.3%  ▇▇▇▇▇▇▇▇               -\n"
"→ Drill  p Live  [ Older  ] Newer  w Worst  Tab Frames  d Why  ? Help        1/8\n" },
	{ COMMAND_VIEW_COUNTERS, "counters", "", "7", "", 0,
" 1 Self 2 Hier 3 Graph 4 Tree 5 Why 6 Time[7 Count]E Event … the newest frame\n"
"  COUNTER▲    LAST     MIN     MAX   CHANGE  TREND     THREAD\n"
"> bodies       100     100     100        0  █▁▁▁▁▁▁▁  main\n"
"  shots      1 100   1 100   1 100       +1  ▂▃▃▄▅▆▇█  main\n\n\n\n\n\n\n"
"→ Peak  p Pause  [ Older  w Worst  Tab Frames  d Why  ? Help  q Quit         1/2\n" },
	{ COMMAND_SORT, "counters sorted", "7", "s", "↓↓\r", 0,
"  COUNTER     LAST    MIN▼     MAX   CHANGE  TREND     THREAD\n"
"> shots      1 100   1 100   1 100       +1  ▂▃▃▄▅▆▇█  main\n"
"  bodies       100     100     100        0  █▁▁▁▁▁▁▁  main\n" },
	{ COMMAND_INVERT, "counters the other way", "7", "I", "", 0,
"  COUNTER▼    LAST     MIN     MAX   CHANGE  TREND     THREAD\n"
"> shots      1 100   1 100   1 100       +1  ▂▃▃▄▅▆▇█  main\n"
"  bodies       100     100     100        0  █▁▁▁▁▁▁▁  main\n" },
	{ COMMAND_SEARCH, "a counter searched", "7", "/", "sh\r", 0,
"  bodies       100     100     100        0  █▁▁▁▁▁▁▁  main\n"
"> shots      1 100   1 100   1 100       +1  ▂▃▃▄▅▆▇█  main\n"
"→ Peak  p Pause  [ Older  w Worst  Tab Frames  d Why  ? Help  q Quit         2/2\n" },
	{ COMMAND_DRILL, "to the peak of a counter", "7", "l", "", 0,
"PAUSED  frame 70  −31 (−0.5 s)  36.00 ms  1.1 cores  median 16.0  game[4711]\n"
"   ms       −1.0 s ◆                      −0.5 s ▲                         pause\n"
" 1 Self 2 Hier 3 Graph 4 Tree 5 Why 6 Time[7 Count]E Event … this frame\n"
"> bodies       500     500     500     +400  ▁▁▁▁▁▁▁█  main\n"
"  shots      1 070   1 070   1 070       +1  ▂▃▃▄▅▆▇█  main\n"
"   +5.00 ms pool       ◇ saved\n"
" region -, 1.6 s of history   running   profiling cost ≥2.6 %\n"
"→ Peak  p Live  [ Older  ] Newer  w Worst  Tab Frames  d Why  ? Help         1/2\n" },
	{ COMMAND_FILTER, "counters filtered", "7", "\\", "sh\r", 0,
" 1 Self 2 Hier 3 Graph 4 Tree 5 Why 6 Time[7 Count]E Event …\n"
" the newest frame   filter: sh (hides 1)\n"
"  COUNTER▲    LAST     MIN     MAX   CHANGE  TREND     THREAD\n"
"> shots      1 100   1 100   1 100       +1  ▂▃▃▄▅▆▇█  main\n"
"→ Peak  p Pause  [ Older  w Worst  Tab Frames  d Why  ? Help  q Quit         1/1\n" },
	{ COMMAND_FILTER, "no counter is left", "7", "\\", "no such counter\r", 0,
" 1 Self 2 Hier 3 Graph 4 Tree 5 Why 6 Time[7 Count]E Event …\n"
" the newest frame   filter: no such counter (hides 2)\n"
"  COUNTER▲    LAST     MIN     MAX   CHANGE  TREND     THREAD\n\n"
"  no match for the filter\n"
"p Pause  [ Older  w Worst  Tab Frames  d Why  / Search  \\ Filter  ? Help  q Quit\n" },
	{ COMMAND_VIEW_EVENTS, "events", "", "E", "", 0,
" 1 Self 2 Hier 3 Graph 4 Tree 5 Why 6 Time 7 Count[E Event]… 2 events\n"
"   FRAME      TIME  THREAD  EVENT OR NOTE\n"
"      40  +2.00 ms  main    ◆ level 3 loaded\n"
">     70  +5.00 ms  pool    ◇ saved\n\n\n\n\n\n\n"
"→ Frame  p Pause  [ Older  w Worst  Tab Frames  d Why  ? Help  q Quit        2/2\n" },
	{ COMMAND_DRILL, "to the frame of an event", "Eg", "l", "", 0,
"PAUSED  frame 40  −61 (−1.0 s)  43.00 ms  1.1 cores  median 16.0  game[4711]\n"
"   ms       −1.0 s ▲                          −0.5 s                       pause\n"
" region -, 1.6 s of history   running   profiling cost ≥2.1 %\n"
"→ Frame  p Live  [ Older  ] Newer  w Worst  Tab Frames  d Why  ? Help        1/2\n" },
	{ COMMAND_FILTER, "events filtered", "E", "\\", "lev\r", 0,
" 1 Self 2 Hier 3 Graph 4 Tree 5 Why 6 Time 7 Count[E Event]…\n"
" 2 events   filter: lev (hides 1)\n"
"   FRAME      TIME  THREAD  EVENT OR NOTE\n"
">     40  +2.00 ms  main    ◆ level 3 loaded\n"
"→ Frame  p Pause  [ Older  w Worst  Tab Frames  d Why  ? Help  q Quit        1/1\n" },
	/* what is shown */
	{ COMMAND_THREADS, "the list of threads", "", "T", "", 0,
"┌─ Threads, last 64 frames (max: longest busy time) ───────────────────────────┐\n"
"│ all threads, merged                                                          │\n"
"│ pool  2 threads of this name, merged                                         │\n"
"│ main   94.0 % busy    0.0 % waits  ▇▃▃▃▆▃▃▃  42.0 ms max  id 1  frame thread │\n"
"│ pool   17.9 % busy    0.0 % waits  ▇▇▇▇▇▇▇▇  3.00 ms max  id 8               │\n"
"│ pool   12.0 % busy    0.0 % waits  ▇▇▇▇▇▇▇▇  2.00 ms max  id 7               │\n"
"└──────────────────────────────────────────────────────────────────────────────┘\n"
"Enter Choose  Esc Back  type to filter\n" },
	{ COMMAND_THREADS, "a list is narrowed", "", "T", "8", 0,
"┌─ Threads, last 64 frames (max: longest busy time): 8 ────────────────────────┐\n"
"│ pool   17.9 % busy    0.0 % waits  ▇▇▇▇▇▇▇▇  3.00 ms max  id 8               │\n"
"│                                                                              │\n"
"│                                                                              │\n"
"│                                                                              │\n"
"│                                                                              │\n"
"└──────────────────────────────────────────────────────────────────────────────┘\n"
"Enter Choose  Esc Back  type to filter\n" },
	{ COMMAND_THREADS, "all threads", "", "T", "⇱\r", 0,
"[1 Self]2 Hier 3 Graph 4 Tree 5 Why 6 Time 7 Count E Event …\n"
" T threads: all (3)   the newest frame\n"
"    ZONE            SELF ms▼   HIER ms   COUNT  %FRAME  TREND     HEAT    MAX ms\n"
">   job                5.000     5.000       2   31.3%  ▇▇▇▇▇▇▇▇     .     3.000\n"
"    draw               4.000     4.000       1   25.0%  ▇▇▇▇▇▇▇▇     .     0.700\n"
"  + ai                 3.000     4.000       2   18.8%  ▇▇▇▇▇▇▇▇    ##     0.900\n"
"  + physics            2.000     3.000       1   12.5%  ▇▁▁▁▁▁▁▁    ##     0.900\n"
"    ray                2.000     2.000      15*  12.5%  ▇▇▇▇▇▇▇▇     .     0.100\n"
"  + walk               2.000     3.000       2   12.5%  ▇▇▇▇▇▇▇▇     .     0.800\n"
"    leaf               1.000     1.000       1    6.3%  ▇▇▇▇▇▇▇▇     .     0.800\n"
"→ Drill  p Pause  [ Older  w Worst  Tab Frames  d Why  ? Help  q Quit        1/9\n" },
	{ COMMAND_THREADS, "the threads of a name", "", "T", "↑\r", 0,
"[1 Self]2 Hier 3 Graph 4 Tree 5 Why 6 Time 7 Count E Event …\n"
" thread: pool (2 threads)   the newest frame\n"
"    ZONE            SELF ms▼   HIER ms   COUNT  %FRAME  TREND     HEAT    MAX ms\n"
">   job                5.000     5.000       2   31.3%  ▇▇▇▇▇▇▇▇     .     3.000\n"
"    (no zone)          0.000         -       -    0.0%  -                      -\n\n\n\n\n\n"
"→ Drill  p Pause  [ Older  w Worst  Tab Frames  d Why  ? Help  q Quit        1/2\n" },
	{ COMMAND_THREAD_AFTER, "the next thread", "", ".", "", 0,
"[1 Self]2 Hier 3 Graph 4 Tree 5 Why 6 Time 7 Count E Event … pool  newest frame\n"
">   job                2.000     2.000       1   12.5%  ▇▇▇▇▇▇▇▇     .     2.000\n"
"    (no zone)          0.000         -       -    0.0%                         -\n\n\n\n\n\n\n"
"→ Drill  p Pause  [ Older  w Worst  Tab Frames  d Why  ? Help  q Quit        1/2\n" },
	{ COMMAND_THREAD_BEFORE, "the thread before", "...", ",", "", 0,
"[1 Self]2 Hier 3 Graph 4 Tree 5 Why 6 Time 7 Count E Event … pool  newest frame\n"
"    ZONE            SELF ms▼   HIER ms   COUNT  %FRAME  TREND     HEAT    MAX ms\n"
">   job                3.000     3.000       1   18.8%  ▇▇▇▇▇▇▇▇     .     3.000\n"
"    (no zone)          0.000         -       -    0.0%                         -\n\n\n\n\n\n\n"
"→ Drill  p Pause  [ Older  w Worst  Tab Frames  d Why  ? Help  q Quit        1/2\n" },
	{ COMMAND_AMOUNTS, "entries in place of time", "", "&", "↓\r", 0,
"   50┼╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌\n"
"     │▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄\n"
"            −1.0 s ◆                          −0.5 s                         now\n"
"[1 Self]2 Hier 3 Graph 4 Tree 5 Why 6 Time 7 Count E Event …\n"
" thread: main   the newest frame   measure: entries\n"
"    ZONE               SELF▼      HIER   COUNT  %FRAME  TREND     HEAT       AVG\n"
">   ray                   15        15      15   60.0%  ▇▇▇▇▇▇▇▇     .       1.0\n"
"  + ai                     2        12       2    8.0%  ▇▇▇▇▇▇▇▇     .       6.0\n"
"  + walk                   2         3       2    8.0%  ▇▇▇▇▇▇▇▇     .       1.5\n"
"    draw                   1         1       1    4.0%  ▇▇▇▇▇▇▇▇     .       1.0\n"
"    leaf                   1         1       1    4.0%  ▇▇▇▇▇▇▇▇     .       1.0\n"
"  + physics                1         6       1    4.0%  ▇▇▇▇▇▇▇▇     .       6.0\n"
"  + update                 1        22       1    4.0%  ▇▇▇▇▇▇▇▇     .      22.0\n"
"→ Drill  p Pause  [ Older  w Worst  d Why  & Times  ? Help  q Quit           1/8\n" },
	{ COMMAND_RECURSION, "recursion spread", "", "R", "", 0,
"[1 Self]2 Hier 3 Graph 4 Tree 5 Why 6 Time 7 Count E Event …\n"
" thread: main   the newest frame   recursion: spread\n"
"    ZONE            SELF ms▼   HIER ms   COUNT  %FRAME  TREND     HEAT    MAX ms\n"
">   draw               4.000     4.000       1   25.0%  ▇▇▇▇▇▇▇▇     .     0.700\n"
"  + ai                 3.000     4.000       2   18.8%  ▇▇▇▇▇▇▇▇    ##     0.900\n"
"  + physics            2.000     3.000       1   12.5%  ▇▁▁▁▁▁▁▁    ##     0.900\n"
"    ray                2.000     2.000      15*  12.5%  ▇▇▇▇▇▇▇▇     .     0.100\n"
"  + walk               1.000     3.000       1    6.3%  ▇▇▇▇▇▇▇▇     .     0.800\n"
"→ Drill  p Pause  [ Older  w Worst  Tab Frames  d Why  ? Help  q Quit        1/9\n" },
	{ COMMAND_AVERAGE, "an average of 0.8 s", "", "a", "", 0,
"game[4711]  LIVE 00:00:00  61.3 fps  avg 16.31 ms  1.2 cores  p99 36.0  max 43.0\n"
"[1 Self]2 Hier 3 Graph 4 Tree 5 Why 6 Time 7 Count E Event … main  avg 0.8 s\n"
">   draw               4.000     4.000     1.0   24.5%  ▇▇▇▇▇▇▇▇     .     0.700\n"
"  + ai                 3.074     4.074     2.0   18.9%  ▇▇▇▇▇▇▇▇    ##     0.900\n"
"  + physics            2.232     3.232     1.0   13.7%  ▇▁▁▁▁▁▁▁    ##     0.900\n"
"    ray                2.000     2.000    15.0*  12.3%  ▇▇▇▇▇▇▇▇     .     0.100\n"
"  + walk               2.000     3.000     2.0   12.3%  ▇▇▇▇▇▇▇▇     .     0.800\n"
"    leaf               1.000     1.000     1.0    6.1%  ▇▇▇▇▇▇▇▇     .     0.800\n"
"  + update             1.000    11.307     1.0    6.1%  ▇▇▇▇▇▇▇▇     .     1.000\n"
"    (no zone)          1.000         -       -    6.1%  ▇▇▇▇▇▇▇▇               -\n"
"a goes round: newest frame, average of 0.8 s, of 2.5 s, whole run\n" },
	{ COMMAND_AVERAGE, "an average of 2.5 s", "a", "a", "", 0,
"game[4711]  LIVE 00:00:00  60.8 fps  avg 16.46 ms  1.2 cores  p99 36.0  max 43.0\n"
"[1 Self]2 Hier 3 Graph 4 Tree 5 Why 6 Time 7 Count E Event … main  avg 2.5 s\n"
">   draw               4.000     4.000     1.0   24.3%  ▇▇▇▇▇▇▇▇     .     0.700\n"
"  + ai                 3.211     4.211     2.0   19.5%  ▇▇▇▇▇▇▇▇    ##     0.900\n"
"  + physics            2.248     3.248     1.0   13.7%  ▇▁▁▁▁▁▁▁    ##     0.900\n"
"    ray                2.000     2.000    15.0*  12.2%  ▇▇▇▇▇▇▇▇     .     0.100\n"
"  + walk               2.000     3.000     2.0   12.2%  ▇▇▇▇▇▇▇▇     .     0.800\n"
"  + update             1.000    11.459     1.0    6.1%  ▇▇▇▇▇▇▇▇     .     1.000\n"
"a goes round: newest frame, average of 0.8 s, of 2.5 s, whole run\n" },
	{ COMMAND_AVERAGE, "an average of the whole run", "aa", "a", "", 0,
"game[4711]  LIVE 00:00:00  138.9 fps  avg 7.200 ms  0.86 cores  p99 36.0\n"
"[1 Self]2 Hier 3 Graph 4 Tree 5 Why 6 Time 7 Count E Event … main  avg whole run\n"
">   draw               4.000     4.000     1.0   55.6%  ▇▇▇▇▇▇▇▇     .         -\n"
"  + physics            2.200     2.200     1.0   30.6%  ▇▁▁▁▁▁▁▁    ##         -\n"
"    (no zone)          1.000         -       -   13.9%  ▇▇▇▇▇▇▇▇               -\n"
"  + update             0.000     2.200     0.0    0.0%  ▇▇▇▇▇▇▇▇     .         -\n\n\n\n\n"
"a goes round: newest frame, average of 0.8 s, of 2.5 s, whole run\n" },
	{ COMMAND_AVERAGE, "the newest frame alone", "aaa", "a", "", 0,
"game[4711]  LIVE 00:00:00  62.5 fps  16.00 ms  1.2 cores  p99 36.0  max 43.0\n"
"[1 Self]2 Hier 3 Graph 4 Tree 5 Why 6 Time 7 Count E Event … main  newest frame\n"
">   draw               4.000     4.000       1   25.0%  ▇▇▇▇▇▇▇▇     .     0.700\n"
"  + ai                 3.000     4.000       2   18.8%  ▇▇▇▇▇▇▇▇    ##     0.900\n"
"  + physics            2.000     3.000       1   12.5%  ▇▁▁▁▁▁▁▁    ##     0.900\n"
"    ray                2.000     2.000      15*  12.5%  ▇▇▇▇▇▇▇▇     .     0.100\n"
"  + walk               2.000     3.000       2   12.5%  ▇▇▇▇▇▇▇▇     .     0.800\n"
"    leaf               1.000     1.000       1    6.3%  ▇▇▇▇▇▇▇▇     .     0.800\n"
"  + update             1.000    11.000       1    6.3%  ▇▇▇▇▇▇▇▇     .     1.000\n"
"    (no zone)          1.000         -       -    6.3%  ▇▇▇▇▇▇▇▇               -\n"
"a goes round: newest frame, average of 0.8 s, of 2.5 s, whole run\n" },
	{ COMMAND_RESET, "averages reset", "a", "r", "", 0,
"game[4711]  LIVE 00:00:00  frame 100  p50 16.0 ms  p99 36.0 ms  max 43.0 ms\n\n"
"  no time in any zone here\n\n\n\n\n\n\n"
"averages reset\n" },
	/* how */
	{ COMMAND_SORT_RIGHT, "sorted by the column to the right", "", ">", "", 0,
"    ZONE             SELF ms  HIER ms▼   COUNT  %FRAME  TREND     HEAT    MAX ms\n"
"> + update             1.000    11.000       1    6.3%  ▇▇▇▇▇▇▇▇     .     1.000\n"
"    draw               4.000     4.000       1   25.0%  ▇▇▇▇▇▇▇▇     .     0.700\n"
"  + physics            2.000     3.000       1   12.5%  ▇▁▁▁▁▁▁▁    ##     0.900\n"
"    ray                2.000     2.000      15*  12.5%  ▇▇▇▇▇▇▇▇     .     0.100\n"
"    leaf               1.000     1.000       1    6.3%  ▇▇▇▇▇▇▇▇     .     0.800\n" },
	{ COMMAND_SORT_LEFT, "sorted by the column to the left", ">>", "<", "", 0,
"    ZONE             SELF ms  HIER ms▼   COUNT  %FRAME  TREND     HEAT    MAX ms\n"
"> + update             1.000    11.000       1    6.3%  ▇▇▇▇▇▇▇▇     .     1.000\n"
"    draw               4.000     4.000       1   25.0%  ▇▇▇▇▇▇▇▇     .     0.700\n"
"  + physics            2.000     3.000       1   12.5%  ▇▁▁▁▁▁▁▁    ##     0.900\n"
"  + walk               2.000     3.000       2   12.5%  ▇▇▇▇▇▇▇▇     .     0.800\n"
"    ray                2.000     2.000      15*  12.5%  ▇▇▇▇▇▇▇▇     .     0.100\n"
"    leaf               1.000     1.000       1    6.3%  ▇▇▇▇▇▇▇▇     .     0.800\n" },
	{ COMMAND_INVERT, "the other way", "", "I", "", 0,
"    ZONE            SELF ms▲   HIER ms   COUNT  %FRAME  TREND     HEAT    MAX ms\n"
">   leaf               1.000     1.000       1    6.3%  ▇▇▇▇▇▇▇▇     .     0.800\n"
"  + update             1.000    11.000       1    6.3%  ▇▇▇▇▇▇▇▇     .     1.000\n"
"  + ai                 3.000     4.000       2   18.8%  ▇▇▇▇▇▇▇▇    ##     0.900\n"
"    draw               4.000     4.000       1   25.0%  ▇▇▇▇▇▇▇▇     .     0.700\n" },
	{ COMMAND_SORT, "the list of columns", "", "s", "", 0,
"game[4711]  LIVE 00:00:00  6┌─ Sort by ───────────┐cores  p99 36.0  max 43.0\n"
" 20.0┼╌╌╌╌╌╌43.0 ms!╌╌╌╌╌╌╌╌│ ZONE                │╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌\n"
"     │▆▆▆▆▆▆▆▆▆▆▆▆▆█▆▆▆▆▆▆▆▆│ SELF                │▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆\n"
"   ms       −1.0 s ◆        │ HIER                │s                         now\n"
"[1 Self]2 Hier 3 Graph 4 Tre│ COUNT               │E Event … main  newest frame\n"
"    ZONE            SELF ms▼│ CALLS/S             │AME  TREND     HEAT    MAX ms\n"
">   draw               4.000│ %FRAME              │.0%  ▇▇▇▇▇▇▇▇     .     0.700\n"
"  + ai                 3.000│ TREND               │.8%  ▇▇▇▇▇▇▇▇    ##     0.900\n"
"  + physics            2.000│ HEAT                │.5%  ▇▁▁▁▁▁▁▁    ##     0.900\n"
"    ray                2.000│ AVG                 │.5%  ▇▇▇▇▇▇▇▇     .     0.100\n"
"  + walk               2.000│ AVG SELF            │.5%  ▇▇▇▇▇▇▇▇     .     0.800\n"
"    leaf               1.000│ MAX                 │.3%  ▇▇▇▇▇▇▇▇     .     0.800\n"
"  + update             1.000│ MIN/F               │.3%  ▇▇▇▇▇▇▇▇     .     1.000\n"
"    (no zone)          1.000│ MEAN/F              │.3%  ▇▇▇▇▇▇▇▇               -\n"
" region -, 1.6 s of history │ MED/F               ▼el 3 loaded\n"
"Enter Choose  Esc Back  type└─────────────── 2/17 ┘\n" },
	{ COMMAND_CURSOR, "the cursor follows its zone", "jj", "@", "", 0,
"[1 Self]2 Hier 3 Graph 4 Tree 5 Why 6 Time 7 Count E Event …\n"
" @ cursor stays on its zone   thread: main   the newest frame\n"
"    ZONE            SELF ms▼   HIER ms   COUNT  %FRAME  TREND     HEAT    MAX ms\n"
"    draw               4.000     4.000       1   25.0%  ▇▇▇▇▇▇▇▇     .     0.700\n"
"  + ai                 3.000     4.000       2   18.8%  ▇▇▇▇▇▇▇▇    ##     0.900\n"
"> + physics            2.000     3.000       1   12.5%  ▇▁▁▁▁▁▁▁    ##     0.900\n"
"    ray                2.000     2.000      15*  12.5%  ▇▇▇▇▇▇▇▇     .     0.100\n"
"  + walk               2.000     3.000       2   12.5%  ▇▇▇▇▇▇▇▇     .     0.800\n"
"    leaf               1.000     1.000       1    6.3%  ▇▇▇▇▇▇▇▇     .     0.800\n"
"  + update             1.000    11.000       1    6.3%  ▇▇▇▇▇▇▇▇     .     1.000\n"
"the cursor stays on its zone\n" },
	{ COMMAND_CURSOR, "into another view", "jj@", "@", "2", 0,
" 1 Self[2 Hier]3 Graph 4 Tree 5 Why 6 Time 7 Count E Event … main  newest frame\n"
"    ZONE             SELF ms  HIER ms▼   COUNT  %FRAME  TREND     HEAT    MAX ms\n"
"> + update             1.000    11.000       1   68.8%  ▇▃▃▃▃▃▃▃     -     1.000\n"
"  + ai                 3.000     4.000       2   25.0%  ▇▇▇▇▇▇▇▇     #     0.900\n"
"    draw               4.000     4.000       1   25.0%  ▇▇▇▇▇▇▇▇     .     0.700\n"
"  + physics            2.000     3.000       1   18.8%  ▇▁▁▁▁▁▁▁    ##     0.900\n"
"  + walk               2.000     3.000       2   18.8%  ▇▇▇▇▇▇▇▇     .     0.800\n"
"    ray                2.000     2.000      15*  12.5%  ▇▇▇▇▇▇▇▇     .     0.100\n"
"    (no zone)          1.000         -       -    6.3%  ▇▇▇▇▇▇▇▇               -\n"
"→ Drill  p Pause  [ Older  w Worst  Tab Frames  d Why  ? Help  q Quit        1/8\n" },
	{ COMMAND_PIN, "a zone is pinned", "jj", " ", "", 0,
"     │▆▆▆▆▆▆▆▆▆▆▆▆▆█▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆1▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆\n"
">1+ physics            2.000     3.000       1   12.5%  ▇▁▁▁▁▁▁▁    ##     0.900\n"
"    draw               4.000     4.000       1   25.0%  ▇▇▇▇▇▇▇▇     .     0.700\n"
"  + ai                 3.000     4.000       2   18.8%  ▇▇▇▇▇▇▇▇    ##     0.900\n"
"→ Drill  p Pause  [ Older  w Worst  Tab Frames  d Why  ? Help  q Quit        1/8\n" },
	{ COMMAND_PIN, "another one is pinned", "jj jj", " ", "", 0,
"     │▆▆▆▆▆▆▆▆▆▆▆▆▆2▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆1▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆\n"
">2+ ai                 3.000     4.000       2   18.8%  ▇▇▇▇▇▇▇▇    ##     0.900\n"
"    draw               4.000     4.000       1   25.0%  ▇▇▇▇▇▇▇▇     .     0.700\n"
"→ Drill  p Pause  [ Older  w Worst  Tab Frames  d Why  ? Help  q Quit        2/8\n" },
	{ COMMAND_VIEW_TREE, "pins in the tree", "jj jj ", "4", "", 0,
" 1 Self 2 Hier 3 Graph[4 Tree]5 Why 6 Time 7 Count E Event … main  newest frame\n"
"    ZONE                   SELF ms  HIER ms▼   COUNT  %FRAME    AVG ms    MAX ms\n"
"> - all                      1.000    16.000       -  100.0%         -         -\n"
"    - update                 1.000    11.000       1   68.8%    11.000     1.000\n"
" 2    - ai                   3.000     4.000       2   25.0%     2.000     0.900\n"
"          ray                1.000     1.000      10*   6.3%     0.100     0.100\n"
" 1    - physics              2.000     3.000       1   18.8%     3.000     0.900\n"
"          ray                1.000     1.000       5*   6.3%     0.200     0.100\n"
"      - walk                 1.000     3.000       1   18.8%     3.000     0.800\n"
"        - walk               1.000     2.000       1   12.5%     2.000     0.800\n"
"p Pause  [ Older  w Worst  Tab Frames  d Why  / Search  ? Help  q Quit      1/10\n" },
	{ COMMAND_SEARCH, "a search that is typed", "", "/", "le", 0,
"    draw               4.000     4.000       1   25.0%  ▇▇▇▇▇▇▇▇     .     0.700\n"
">   leaf               1.000     1.000       1    6.3%  ▇▇▇▇▇▇▇▇     .     0.800\n"
"Search: le\n" },
	{ COMMAND_SEARCH_NEXT, "the next one that is found", "/a\r", "n", "", 0,
"    draw               4.000     4.000       1   25.0%  ▇▇▇▇▇▇▇▇     .     0.700\n"
"> + ai                 3.000     4.000       2   18.8%  ▇▇▇▇▇▇▇▇    ##     0.900\n"
"→ Drill  p Pause  [ Older  w Worst  Tab Frames  d Why  ? Help  q Quit        2/8\n" },
	{ COMMAND_SEARCH_BEFORE, "the one before that is found", "/a\rnn", "N", "", 0,
"> + ai                 3.000     4.000       2   18.8%  ▇▇▇▇▇▇▇▇    ##     0.900\n"
"    ray                2.000     2.000      15*  12.5%  ▇▇▇▇▇▇▇▇     .     0.100\n"
"→ Drill  p Pause  [ Older  w Worst  Tab Frames  d Why  ? Help  q Quit        2/8\n" },
	{ COMMAND_SEARCH, "nothing is found", "", "/", "no such zone\r", 0,
"not found: no such zone\n" },
	{ COMMAND_SEARCH, "a search that is no expression", "", "/", "~(", 0,
"Search: ~(   '(' is not a regular expression: Unmatched ( or \\(\n" },
	{ COMMAND_FILTER, "a filter", "", "\\", "a\r", 0,
"[1 Self]2 Hier 3 Graph 4 Tree 5 Why 6 Time 7 Count E Event …\n"
" thread: main   the newest frame   filter: a (hides 2)\n"
"    ZONE            SELF ms▼   HIER ms   COUNT  %FRAME  TREND     HEAT    MAX ms\n"
">   draw               4.000     4.000       1   25.0%  ▇▇▇▇▇▇▇▇     .     0.700\n"
"  + ai                 3.000     4.000       2   18.8%  ▇▇▇▇▇▇▇▇    ##     0.900\n\n"
"→ Drill  p Pause  [ Older  w Worst  Tab Frames  d Why  ? Help  q Quit        1/6\n" },
	{ COMMAND_FILTER, "a filter, where \\ is far", "", "f", "a\r", 0,
"[1 Self]2 Hier 3 Graph 4 Tree 5 Why 6 Time 7 Count E Event …\n"
" thread: main   the newest frame   filter: a (hides 2)\n"
"    ZONE            SELF ms▼   HIER ms   COUNT  %FRAME  TREND     HEAT    MAX ms\n"
">   draw               4.000     4.000       1   25.0%  ▇▇▇▇▇▇▇▇     .     0.700\n"
"  + ai                 3.000     4.000       2   18.8%  ▇▇▇▇▇▇▇▇    ##     0.900\n\n"
"→ Drill  p Pause  [ Older  w Worst  Tab Frames  d Why  ? Help  q Quit        1/6\n" },
	{ COMMAND_FILTER, "a filter that leaves nothing", "", "\\", "no such zone\r", 0,
"[1 Self]2 Hier 3 Graph 4 Tree 5 Why 6 Time 7 Count E Event …\n"
" thread: main   the newest frame   filter: no such zone (hides 8)\n"
"    ZONE            SELF ms▼   HIER ms   COUNT  %FRAME  TREND     HEAT    MAX ms\n\n"
"  no match for the filter\n\n\n\n\n\n"
"p Pause  [ Older  w Worst  Tab Frames  d Why  / Search  \\ Filter  ? Help  q Quit\n" },
	{ COMMAND_FILTER, "a filter by an expression", "", "\\", "~^(ai|ray)\r", 0,
"[1 Self]2 Hier 3 Graph 4 Tree 5 Why 6 Time 7 Count E Event …\n"
" thread: main   the newest frame   filter: ~^(ai|ray) (hides 6)\n"
"    ZONE            SELF ms▼   HIER ms   COUNT  %FRAME  TREND     HEAT    MAX ms\n"
"> + ai                 3.000     4.000       2   18.8%  ▇▇▇▇▇▇▇▇    ##     0.900\n"
"    ray                2.000     2.000      15*  12.5%  ▇▇▇▇▇▇▇▇     .     0.100\n\n\n\n\n\n"
"→ Drill  p Pause  [ Older  w Worst  Tab Frames  d Why  ? Help  q Quit        1/2\n" },
	{ COMMAND_UNIT, "ms", "", "%", "", 0,
"unit: ms\n" },
	{ COMMAND_UNIT, "us", "%", "%", "", 0,
"    ZONE           SELF µs▼    HIER µs   COUNT  %FRAME  TREND     HEAT    MAX µs\n"
">   draw           4000.000   4000.000       1   25.0%  ▇▇▇▇▇▇▇▇     .   700.000\n"
"  + ai             3000.000   4000.000       2   18.8%  ▇▇▇▇▇▇▇▇    ##   900.000\n"
"  + physics        2000.000   3000.000       1   12.5%  ▇▁▁▁▁▁▁▁    ##   900.000\n"
"    ray            2000.000   2000.000      15*  12.5%  ▇▇▇▇▇▇▇▇     .   100.000\n"
"  + walk           2000.000   3000.000       2   12.5%  ▇▇▇▇▇▇▇▇     .   800.000\n"
"    leaf           1000.000   1000.000       1    6.3%  ▇▇▇▇▇▇▇▇     .   800.000\n"
"  + update         1000.000  11000.000       1    6.3%  ▇▇▇▇▇▇▇▇     .  1000.000\n"
"    (no zone)      1000.000          -       -    6.3%  ▇▇▇▇▇▇▇▇               -\n"
"unit: us\n" },
	{ COMMAND_UNIT, "ns", "%%", "%", "", 0,
"    ZONE            SELF ns▼   HIER ns   COUNT  %FRAME  TREND     HEAT    MAX ns\n"
">   draw             4000000   4000000       1   25.0%  ▇▇▇▇▇▇▇▇     .    700000\n"
"  + ai               3000000   4000000       2   18.8%  ▇▇▇▇▇▇▇▇    ##    900000\n"
"  + physics          2000000   3000000       1   12.5%  ▇▁▁▁▁▁▁▁    ##    900000\n"
"    ray              2000000   2000000      15*  12.5%  ▇▇▇▇▇▇▇▇     .    100000\n"
"  + walk             2000000   3000000       2   12.5%  ▇▇▇▇▇▇▇▇     .    800000\n"
"    leaf             1000000   1000000       1    6.3%  ▇▇▇▇▇▇▇▇     .    800000\n"
"  + update           1000000  11000000       1    6.3%  ▇▇▇▇▇▇▇▇     .   1000000\n"
"    (no zone)        1000000         -       -    6.3%  ▇▇▇▇▇▇▇▇               -\n"
"unit: ns\n" },
	{ COMMAND_UNIT, "percent", "%%%", "%", "", 0,
"    ZONE             SELF %▼    HIER %   COUNT  %FRAME  TREND     HEAT    MAX ms\n"
">   draw                25.0      25.0       1   25.0%  ▇▇▇▇▇▇▇▇     .     0.700\n"
"  + ai                  18.8      25.0       2   18.8%  ▇▇▇▇▇▇▇▇    ##     0.900\n"
"  + physics             12.5      18.8       1   12.5%  ▇▁▁▁▁▁▁▁    ##     0.900\n"
"    ray                 12.5      12.5      15*  12.5%  ▇▇▇▇▇▇▇▇     .     0.100\n"
"  + walk                12.5      18.8       2   12.5%  ▇▇▇▇▇▇▇▇     .     0.800\n"
"    leaf                 6.3       6.3       1    6.3%  ▇▇▇▇▇▇▇▇     .     0.800\n"
"  + update               6.3      68.8       1    6.3%  ▇▇▇▇▇▇▇▇     .     1.000\n"
"    (no zone)            6.3         -       -    6.3%  ▇▇▇▇▇▇▇▇               -\n"
"unit: pct\n" },
	{ COMMAND_PRECISION, "no digits", "", "e", "", 0,
">   draw                   4         4       1   25.0%  ▇▇▇▇▇▇▇▇     .         1\n"
"  + ai                     3         4       2   18.8%  ▇▇▇▇▇▇▇▇    ##         1\n"
"  + physics                2         3       1   12.5%  ▇▁▁▁▁▁▁▁    ##         1\n"
"    ray                    2         2      15*  12.5%  ▇▇▇▇▇▇▇▇     .        <1\n"
"  + walk                   2         3       2   12.5%  ▇▇▇▇▇▇▇▇     .         1\n"
"    leaf                   1         1       1    6.3%  ▇▇▇▇▇▇▇▇     .         1\n"
"  + update                 1        11       1    6.3%  ▇▇▇▇▇▇▇▇     .         1\n"
"    (no zone)              1         -       -    6.3%  ▇▇▇▇▇▇▇▇               -\n"
"precision: 0\n" },
	{ COMMAND_PRECISION, "six digits", "eeeeee", "e", "", 0,
"    ZONE           SELF ms▼    HIER ms   COUNT  %FRAME  TREND     HEAT    MAX ms\n"
">   draw           4.000000   4.000000       1   25.0%  ▇▇▇▇▇▇▇▇     .  0.700000\n"
"  + ai             3.000000   4.000000       2   18.8%  ▇▇▇▇▇▇▇▇    ##  0.900000\n"
"  + physics        2.000000   3.000000       1   12.5%  ▇▁▁▁▁▁▁▁    ##  0.900000\n"
"    ray            2.000000   2.000000      15*  12.5%  ▇▇▇▇▇▇▇▇     .  0.100000\n"
"  + walk           2.000000   3.000000       2   12.5%  ▇▇▇▇▇▇▇▇     .  0.800000\n"
"    leaf           1.000000   1.000000       1    6.3%  ▇▇▇▇▇▇▇▇     .  0.800000\n"
"  + update         1.000000  11.000000       1    6.3%  ▇▇▇▇▇▇▇▇     .  1.000000\n"
"    (no zone)      1.000000          -       -    6.3%  ▇▇▇▇▇▇▇▇               -\n"
"precision: 6\n" },
	{ COMMAND_OVERHEAD, "without what measuring costs", "", "O", "", 0,
"[1 Self]2 Hier 3 Graph 4 Tree 5 Why 6 Time 7 Count E Event …\n"
" thread: main   the newest frame   profiling cost subtracted\n"
"    ZONE            SELF ms▼   HIER ms   COUNT  %FRAME  TREND     HEAT    MAX ms\n"
">   draw               3.980     3.980       1   24.9%  ▇▇▇▇▇▇▇▇     .     0.700\n"
"  + ai                 2.760     3.560       2   17.3%  ▇▇▇▇▇▇▇▇    ##     0.900\n"
"  + walk               1.920     2.900       2   12.0%  ▇▇▇▇▇▇▇▇     .     0.800\n"
"  + physics            1.880     2.780       1   11.8%  ▇▁▁▁▁▁▁▁    ##     0.900\n"
"    ray                1.700     1.700      15*  10.6%  ▇▇▇▇▇▇▇▇     .     0.100\n"
"    leaf               0.980     0.980       1    6.1%  ▇▇▇▇▇▇▇▇     .     0.800\n"
"  + update             0.900    10.140       1    5.6%  ▇▇▇▇▇▇▇▇     .     1.000\n" },
	{ COMMAND_LOG_AXIS, "a logarithmic axis", "", "x", "", 0,
" 20ms┼╌╌╌╌╌╌╌╌╌╌╌╌╌▆╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌▄╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌\n"
"6.7ms┤▆▆▆▆▆▆▆▆▆▆▆▆▆█▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆█▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆\n"
"  log       −1.0 s ◆                          −0.5 s                         now\n"
"frame axis: log\n" },
	{ COMMAND_LOG_AXIS, "a linear axis again", "x", "x", "", 0,
" 20.0┼╌╌╌╌╌╌43.0 ms!╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌▆╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌\n"
"     │▆▆▆▆▆▆▆▆▆▆▆▆▆█▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆█▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆▆\n"
"   ms       −1.0 s ◆                          −0.5 s                         now\n"
"frame axis: linear\n" },
	{ COMMAND_ASCII, "nothing but ASCII", "", "L", "", 0,
" 20.0+------43.0 ms!-----------------------------:------------------------------\n"
"     |:::::::::::::#:::::::::::::::::::::::::::::#::::::::::::::::::::::::::::::\n"
"   ms       -1.0 s *                          -0.5 s                         now\n"
"[1 Self]2 Hier 3 Graph 4 Tree 5 Why 6 Time 7 Count E Event .. main  newest frame\n"
"    ZONE           SELF ms v   HIER ms   COUNT  %FRAME  TREND     HEAT    MAX ms\n"
">   draw               4.000     4.000       1   25.0%  ########     .     0.700\n"
"  + ai                 3.000     4.000       2   18.8%  ########    ##     0.900\n"
"  + physics            2.000     3.000       1   12.5%  #.......    ##     0.900\n"
"    ray                2.000     2.000      15*  12.5%  ########     .     0.100\n"
"  + walk               2.000     3.000       2   12.5%  ########     .     0.800\n"
"    leaf               1.000     1.000       1    6.3%  ########     .     0.800\n"
"  + update             1.000    11.000       1    6.3%  ########     .     1.000\n"
"    (no zone)          1.000         -       -    6.3%  ########               -\n"
" region -, 1.6 s of history   running   * main: level 3 loaded\n"
"Right Drill  p Pause  [ Older  w Worst  Tab Frames  d Why  ? Help  q Quit    1/8\n" },
	{ COMMAND_COLOURS, "fewer colours", "", "C", "", EFFECT_COLOURS, "" },
	{ COMMAND_THEME, "the next theme", "", "t", "", EFFECT_THEME, "" },
	{ COMMAND_MOUSE, "the terminal's mouse", "", "M", "", EFFECT_MOUSE,
"mouse off\n" },
	{ COMMAND_REDRAW, "all of the screen anew", "", "\f", "", EFFECT_REDRAW, "" },
	/* the program */
	{ COMMAND_EDITOR, "the source of a zone", "/ai\r", "v", "", EFFECT_EDIT, "" },
	{ COMMAND_COPY_ROW, "a row is copied", "", "y", "", EFFECT_COPY_ROW, "" },
	{ COMMAND_COPY_SCREEN, "the screen is copied", "", "Y", "", EFFECT_COPY_SCREEN, "" },
	{ COMMAND_OUTPUT, "the program's output", "", "\"", "", 0,
" output of game: 8 B in /tmp/game.out\n"
" level 3\n" },
	{ COMMAND_EXPORT, "kinds of files", "", "X", "", 0,
"┌─ Export: all known frames (for fewer: Esc, then :last 300) ──────────────────┐\n"
"│ chrome             single calls, frames, counters, events, notes             │\n"
"│ speedscope         single calls, a profile a thread                          │\n"
"│ visualiser         single calls, frames, counters, events, in microseconds   │\n"
"│ perf-timer         single calls with their frames, notes                     │\n"
"│ perf-timer-binary  the same, smaller                                         │\n"
"│ folded             self time of each zone stack                              │\n"
"│ speedscope-sums    self time of each zone stack, a profile a thread          │\n"
"│ callgrind          self time of each zone, who calls whom, with source lines │\n"
"│ pprof              calls and self time of each zone stack, with source lines │\n"
"│ table-tree         a table of zone stacks: time, calls, min, max, mean       │\n"
"│ table-flat         the same, per zone                                        │\n"
"│ html               web page (one file): frames, zones, calls, counters, why  │\n"
"└──────────────────────────────────────────────────────────────────────────────┘\n"
"Enter Choose  Esc Back  type to filter\n" },
	{ COMMAND_EXPORT, "a name for one", "", "X", "\r", 0,
"Export to: game.trace.json                                             ^U clears\n" },
	{ COMMAND_LINE, "a command that is typed", "", ":", "vi", 0,
": vi\n" },
	{ COMMAND_RECORD, "the file of a recording is asked for", "", "V", "", 0,
"Record to: game.prof                                                   ^U clears\n" },
	{ COMMAND_SAVE, "settings are saved", "", "S", "", EFFECT_SAVE, "" },
	{ COMMAND_REGIONS, "other programs are asked for", "", "A", "", EFFECT_REGIONS, "" },
	{ COMMAND_HELP, "help", "", "?", "", 0,
"Help: Self\n"
" Self: zones, sorted by the time in each zone itself.\n"
" → Drill     u Caller    P Focus     p Pause     [ Older     ( Event\n"
" w Worst     Tab Frames  m Mark      b Budget    B Catch     d Why\n"
" 8 Flame     9 Worst     o Stacks    T Threads   & Measures  a Average\n"
" s Sort      @ Track     Space Pin   / Search    \\ Filter    % Unit\n"
" V Record    X Export    : Command   A Attach    q Quit\n"
" ZONE    Name of the zone.\n"
" SELF    Time in the zone itself, or its amount if a measure is chosen.\n"
" HIER    Hierarchical time (inclusive, total): in the zone and all inside it.\n"
" COUNT   Calls; in an average, per frame (calls a second: sort by CALLS/S).\n"
" %FRAME  % of the covered time.\n"
" TREND   Time in each of the last 32 frames, scaled to its own peak.\n"
" HEAT    How much the zone varies from frame to frame: . - # ## (most).\n"
" MAX     The longest single call that ended in the covered time.\n"
"q Close  ? All keys  PgDn More  / Search\n" },
	{ COMMAND_QUIT, "out of a pause", "p", "q", "", 0,
"game[4711]  LIVE 00:00:00  62.5 fps  16.00 ms  1.2 cores  p99 36.0  max 43.0\n"
"   ms       −1.0 s ◆                          −0.5 s                         now\n"
"[1 Self]2 Hier 3 Graph 4 Tree 5 Why 6 Time 7 Count E Event … main  newest frame\n"
"  + ai                 3.000     4.000       2   18.8%  ▇▇▇▇▇▇▇▇    ##     0.900\n"
"  + physics            2.000     3.000       1   12.5%  ▇▁▁▁▁▁▁▁    ##     0.900\n"
" region -, 1.6 s of history   running   ◆ main: level 3 loaded\n"
"→ Drill  p Pause  [ Older  w Worst  Tab Frames  d Why  ? Help  q Quit        1/8\n" },
	{ COMMAND_OUT, "Esc keeps a pause", "p", "⎋", "", 0,
"p goes live\n" },
	{ COMMAND_OUT, "Esc ends a filter", "\\a\r", "⎋", "", 0,
"[1 Self]2 Hier 3 Graph 4 Tree 5 Why 6 Time 7 Count E Event … main  newest frame\n"
"    ZONE            SELF ms▼   HIER ms   COUNT  %FRAME  TREND     HEAT    MAX ms\n"
">   draw               4.000     4.000       1   25.0%  ▇▇▇▇▇▇▇▇     .     0.700\n"
"  + ai                 3.000     4.000       2   18.8%  ▇▇▇▇▇▇▇▇    ##     0.900\n"
"  + physics            2.000     3.000       1   12.5%  ▇▁▁▁▁▁▁▁    ##     0.900\n"
"    (no zone)          1.000         -       -    6.3%  ▇▇▇▇▇▇▇▇               -\n"
"→ Drill  p Pause  [ Older  w Worst  Tab Frames  d Why  ? Help  q Quit        1/8\n" },
	{ COMMAND_OUT, "Esc never out of proftop", "", "⎋", "", 0,
"q leaves proftop\n" },
	{ COMMAND_QUIT, "out of proftop", "", "q", "", EFFECT_QUIT, "" },
	{ COMMAND_LEAVE, "out of proftop at once", "p?", "Q", "", EFFECT_QUIT, "" },
};

/* In tui_singles, tui_stacks, tui_why, tui_flame, tui_functions and tui_timeline. */
static const enum command elsewhere[] = { COMMAND_SLOWEST_CALL, COMMAND_STACKS, COMMAND_BY_ZONE, COMMAND_WAITS,
					 COMMAND_BOX_LEFT, COMMAND_BOX_RIGHT, COMMAND_BOX_LONGEST, COMMAND_CALL_BEFORE,
					 COMMAND_CALL_AFTER, COMMAND_BOX_IN, COMMAND_BOX_OUT, COMMAND_BOX_WAITS,
					 COMMAND_BOX_NEARER, COMMAND_BOX_FARTHER, COMMAND_BOX_FRAME, COMMAND_MEASURE, COMMAND_LANE_FOLD, COMMAND_LANE_FOLD_ALL, COMMAND_LANE_COUNTERS, COMMAND_LANE_HEAT,
					 COMMAND_VIEW_TIMELINE, COMMAND_VIEW_FLAME, COMMAND_VIEW_FUNCTIONS };

/* The game */

static void count(struct profile *p, uint32_t track, const struct profile_frame *f, int64_t n)
{
	union profile_number value = { .whole = n };
	struct profile_change change = { .tick = f->start + f->length, .last = value, .least = value, .most = value };

	assert_true(profile_add_change(p, track, &change));
	profile_set_now(p, track, &change, value, value);
}

static uint32_t counter(struct profile *p, const char *name)
{
	return profile_add_track(p, profile_add_counter(p, name, false, false), 0, 0);
}

static struct profile *game(void)
{
	struct profile *p = stage_game(0);
	uint32_t bodies = counter(p, "bodies"), shots = counter(p, "shots"), event = profile_add_event(p, "saved");

	for (uint64_t n = 1; n <= 100; n++) {
		stage_frame(p, n, (struct stage_frame){ n == 40 ? 30 : 3, n == 70 ? 22 : 2, 4 });
		count(p, bodies, &p->frames[n - 1], n == 70 ? 500 : 100);
		count(p, shots, &p->frames[n - 1], 1000 + (int64_t)n);
	}
	assert_true(profile_add_instant(p, p->frames[39].start + 2 * MS, 0, PROFILE_NONE, "level 3 loaded", false));
	assert_true(profile_add_instant(p, p->frames[69].start + 5 * MS, 1, event, NULL, false));
	dsl_grow(p, "main . 100000000 0\nmain draw 400000000 100\nmain update@loop.c:10/physics 220000000 100\n");
	p->process.pair_ns = 40000;
	return p;
}

static void begin(struct stage *t)
{
	struct app_options o = stage_options();

	stage_open(t, &o, 80, 16);
	stage_attach(t, game());
}

/* What is typed */

static uint32_t key_of(const char **at)
{
	static const struct {
		const char *shown;
		uint32_t key;
	} keys[] = {
		{ "←", TERM_LEFT }, { "→", TERM_RIGHT }, { "↑", TERM_UP }, { "↓", TERM_DOWN }, { "⇞", TERM_PAGE_UP },
		{ "⇟", TERM_PAGE_DOWN }, { "⇱", TERM_HOME }, { "⇲", TERM_END }, { "⇥", TERM_TAB }, { "⎋", TERM_ESCAPE },
		{ "⇠", TERM_SHIFT_LEFT }, { "⇢", TERM_SHIFT_RIGHT }, { "↞", TERM_CONTROL_LEFT },
		{ "↠", TERM_CONTROL_RIGHT },
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (!strncmp(*at, keys[i].shown, strlen(keys[i].shown))) {
			*at += strlen(keys[i].shown);
			return keys[i].key;
		}
	return (unsigned char)*(*at)++;
}

static unsigned type(struct stage *t, const char *keys)
{
	unsigned effects = 0;

	while (*keys) {
		stage_press(t, key_of(&keys));
		effects |= t->effects;
		while (app_work(&t->app))
			;
		if (app_wants_output(&t->app, 0, false))
			app_take_output(&t->app, 0, output_tail_new("/tmp/game.out", "level 3\n", 8, 8), "");
		stage_draw(t);
	}
	return effects & ~(unsigned)EFFECT_DRAW;
}

/* What is seen */

/* The lines of `after` that are others in `before`. Both are used up; caller frees. */
static char *changed_lines(char *before, char *after)
{
	char *text = calloc(strlen(after) + 1, 1), *old, *new;

	assert_non_null(text);
	while ((old = strsep(&before, "\n")) && (new = strsep(&after, "\n")))
		if (strcmp(old, new)) {
			strcat(text, new);
			strcat(text, "\n");
		}
	return text;
}

static void test_step(void **state)
{
	const struct step *step = *state;
	char *before, *after, *changed;
	unsigned effects;
	struct stage t;

	begin(&t);
	type(&t, step->before);
	stage_press(&t, 0); /* what was said is gone */
	before = lines_text(&t.c);
	effects = type(&t, step->key);
	type(&t, step->behind);
	after = lines_text(&t.c);
	changed = changed_lines(before, after);
	if (strcmp(changed, step->changed) != 0) { /* a message of cmocka is cut off */
		fprintf(stderr, "%s: expected:\n%sgot:\n%s", step->name, step->changed, changed);
		fail();
	}
	assert_int_equal(effects, step->effects);
	assert_true(*changed || effects);
	free(before);
	free(after);
	free(changed);
	stage_end(&t);
}

static void test_none_is_forgotten(void **state)
{
	bool is_shown[COMMANDS] = { [COMMAND_NONE] = true };

	(void)state;
	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++)
		is_shown[steps[i].command] = true;
	for (size_t i = 0; i < sizeof(elsewhere) / sizeof(*elsewhere); i++)
		is_shown[elsewhere[i]] = true;
	for (enum command c = 0; c < COMMANDS; c++)
		if (!is_shown[c])
			fail_msg("nothing shows what %s does: %s", commands[c].shown, commands[c].help);
}

/* The key of a step is one of its command's. */
static void test_keys_are_theirs(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
		const struct command_def *def = &commands[steps[i].command];
		const char *at = steps[i].key;
		uint32_t key = key_of(&at);
		bool found = false;

		for (size_t k = 0; k < sizeof(def->keys) / sizeof(*def->keys); k++)
			found = found || def->keys[k] == key;
		if (!found || *at)
			fail_msg("%s is no key of %s", steps[i].key, def->help);
	}
}

int main(void)
{
	struct CMUnitTest tests[sizeof(steps) / sizeof(*steps) + 2] = {
		cmocka_unit_test(test_none_is_forgotten),
		cmocka_unit_test(test_keys_are_theirs),
	};

	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++)
		tests[i + 2] = (struct CMUnitTest){ .name = steps[i].name, .test_func = test_step,
						    .initial_state = (void *)&steps[i] };
	return cmocka_run_group_tests_name("tui: every command", tests, NULL, NULL);
}
