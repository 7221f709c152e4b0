/* memory.pml: one writer whose stores reach memory late and out of order, as on a weakly ordered machine.
 *
 * A store is issued, and lands some time later.  Two to the same cell land in their order.  A release store
 * lands after everything issued before it; whatever is issued behind a release fence lands after everything
 * issued before the fence.  Nothing else is promised.  Several readers would also have to agree on an order;
 * here there is one.  A reader's loads are written in the models as a choice among those not yet made, so
 * they too happen in any order that its acquires and fences leave open.
 *
 * The including file defines CELLS and STORES (how many are issued at most), and sets finished.
 */
byte memory[CELLS];
byte cell[STORES], value[STORES], needs[STORES]; /* needs: that many of the first have to land before */
bool landed[STORES];
byte issued = 0, fenced = 0, arrived = 0;
bool finished = false;

inline issue(to, what, behind)
{
	atomic {
		cell[issued] = to;
		value[issued] = what;
		needs[issued] = behind;
		issued++
	}
}

#define store(c, v)         issue(c, v, fenced)
#define store_release(c, v) issue(c, v, issued)
#define fence_release()     fenced = issued

active proctype landing()
{
	byte s, before;
	bool may;

	do
	:: atomic {
		issued > 0 ->
		s = 0;
		do
		:: s + 1 < issued -> s++
		:: true -> break
		od;
		may = !landed[s];
		before = 0;
		do
		:: before < s ->
			if
			:: !landed[before] && (cell[before] == cell[s] || before < needs[s]) -> may = false
			:: else -> skip
			fi;
			before++
		:: else -> break
		od;
		if
		:: may -> memory[cell[s]] = value[s]; landed[s] = true; arrived++
		:: else -> skip
		fi;
		s = 0;
		before = 0;
		may = false
	}
	:: finished -> break
	od
}
