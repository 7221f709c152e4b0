# report: the page that io/page/ fills with a profile. All that it is made of stands here: what is changed makes the page anew.
report_files = \
	report/page.css \
	report/page.html \
	report/page.js \
	report/scripts.list

EXTRA_DIST += $(report_files)
