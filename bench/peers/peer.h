/* peer.h: what a peer has to give: the same loops as bench/shapes.c, with its own zones. */
#ifndef BENCH_PEER_H
#define BENCH_PEER_H

#ifdef __cplusplus
extern "C" {
#endif

struct peer_shape {
	const char *name;
	long (*run)(long times);     /* about so many zones; how many it were */
	void (*without)(long times); /* the same without zones */
};

#define PEER_SHAPES 3
extern const struct peer_shape peer_shapes[PEER_SHAPES];

/* Zones in a row before the peer must be given time to put away what it noted; not measured. */
extern const long peer_batch;
void peer_begin(void);
void peer_between(void);
void peer_end(void);

/* The end of a frame in which so many different zones were; NULL: it has no frames. */
struct peer_frames {
	void (*zones)(long count);
	void (*flip)(void);
};
extern const struct peer_frames *peer_frames;

#ifdef __cplusplus
}
#endif

#endif
