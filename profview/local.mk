# libprofview
# Its map hides all names but those of profview.h.
lib_LTLIBRARIES += libprofview.la
include_HEADERS += profview/profview.h
nodist_pkgconfig_DATA += profview/profview.pc
libprofview_la_CFLAGS = $(AM_CFLAGS) -prefer-pic # its own names are not hidden: the map exports some
libprofview_la_LDFLAGS = $(AM_LDFLAGS) -version-info 1:0:0 -Wl,-Bsymbolic-functions \
	-Wl,--version-script=$(top_srcdir)/profview/profview.map
libprofview_la_LIBADD = libreading.la libmodel.la libshm.la $(ZLIB_LIBS) $(LIBM)
EXTRA_libprofview_la_DEPENDENCIES = $(top_srcdir)/profview/profview.map
libprofview_la_SOURCES = \
	profview/profview.c \
	profview/profview.h \
	profview/profview_boxes.c \
	profview/profview_draw.c \
	profview/profview_inside.h \
	profview/profview_look.c \
	profview/profview_shown.c

libprofview.links: libprofview.la
	$(AM_V_GEN)$(one_object) .libs/libprofview.a $(top_srcdir)/profview/profview.map && \
	for file in .libs/libprofview.so* .libs/libprofview.a; do \
		test ! -e $$file || $(LN_S) -f $$file . || exit 1; \
	done; echo made >$@
all-local: libprofview.links
CLEANFILES += libprofview.links libprofview.so* libprofview.a

EXTRA_DIST += profview/profview.map
