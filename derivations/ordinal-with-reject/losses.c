/*
 * Ordered classes, and rejecting at a known cost
 *
 * Written by costderive 0.2.0.
 *
 * The act with the least expected cost is taken, of several the first; the loss is what it costs in the class.
 * Classes and acts are counted from 0. A row of probabilities may miss the sum 1 by roundings.
 * NaN is the loss of what is not a label, or not a row of probabilities.
 * C99: link with -lm.
 */

#include <math.h>

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "compile without -ffast-math and -Ofast: they drop the checks for NaN, and digits of the losses"
#endif

enum { CLASSES = 3, ACTS = 4 };
static const double TIED = 1.0000000000000022; /* what differs by no more is rounding */
static const double COSTS[CLASSES][ACTS] = {
    {0.0, 1.0, 2.0, 0.25},
    {1.0, 0.0, 1.0, 0.25},
    {2.0, 1.0, 0.0, 0.25}
};
static const double BEYOND[CLASSES][ACTS] = { /* the least cost of each class */
    {0.0, 1.0, 2.0, 0.25},
    {1.0, 0.0, 1.0, 0.25},
    {2.0, 1.0, 0.0, 0.25}
};

/* Return the act, from 0, that costs least at the probabilities p of all classes, or -1 if they are none. */
int act(const double *p)
{
    double sum = 0.0, least = INFINITY, expected[ACTS] = {0.0};
    for (int i = 0; i < CLASSES; i++) {
        if (!(p[i] >= 0.0)) return -1;
        sum += p[i];
        for (int j = 0; j < ACTS; j++) expected[j] += p[i] * BEYOND[i][j];
    }
    if (!(fabs(sum - 1.0) <= 1e-5)) return -1;
    for (int j = 0; j < ACTS; j++) least = fmin(least, expected[j]);
    int j = 0;
    while (!(expected[j] <= TIED * least)) j++;
    return j;
}

/* Return the loss of a row: its class y, from 0 to CLASSES - 1, and the probabilities p of all classes. */
double loss(int y, const double *p, int classes)
{
    if (classes != CLASSES || y < 0 || y >= CLASSES) return NAN;
    const int taken = act(p);
    return taken < 0 ? NAN : COSTS[y][taken];
}
