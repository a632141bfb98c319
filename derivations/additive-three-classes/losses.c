/*
 * Additive costs of three classes: a fixed budget, shared out uniformly
 *
 * Written by costderive 0.2.0. pi is the probability of class i.
 *
 * loss0(p) = (p0/p2 + 1)**(-2) - 1/(p0/p2 + p0/p1 + 1)**2 + (p0/p1 + 1)**(-2)
 * loss1(p) = (p1/p2 + 1)**(-2) - 1/(p1/p2 + 1 + p1/p0)**2 + (1 + p1/p0)**(-2)
 * loss2(p) = (1 + p2/p1)**(-2) - 1/(1 + p2/p1 + p2/p0)**2 + (1 + p2/p0)**(-2)
 *
 * The losses are these formulas as they stand, compared at 400 forecasts with quadrature: within 1e-14 of the mean cost.
 * A probability counts as at least 1e-30, so that at 0 there are the limits.
 * NaN is the loss of what is not a label, or not a row of probabilities.
 * A row may miss the sum 1 by 1e-5, as one of single precision does.
 * C99: link with -lm, and do not compile with -ffast-math.
 */

#include <math.h>

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "compile without -ffast-math and -Ofast: they drop the checks for NaN, and digits of the losses"
#endif

enum { CLASSES = 3, COUNT = 0, CELLS = 1 };
static const int MARKED[COUNT + 1] = {0}; /* the classes whose costs have marks */
static const double MARKS[COUNT + 1] = {0};
static const int WHICH[COUNT + 1] = {0}; /* mark of its law it is */
static const int LAWS[CLASSES] = {0, 0, 0}; /* classes of the same number have the same law of costs */

static double cell0(int y, const double *p)
{
    (void)p;
    switch (y) {
    case 0: return 1.0 / ((p[0] / p[2] + 1.0) * (p[0] / p[2] + 1.0)) + 1.0 / ((p[0] / p[1] + 1.0) * (p[0] / p[1] + 1.0)) - 1.0 / ((p[0] / p[1] + 1.0 + p[0] / p[2]) * (p[0] / p[1] + 1.0 + p[0] / p[2]));
    case 1: return 1.0 / ((p[1] / p[2] + 1.0) * (p[1] / p[2] + 1.0)) + 1.0 / ((1.0 + p[1] / p[0]) * (1.0 + p[1] / p[0])) - 1.0 / ((1.0 + p[1] / p[0] + p[1] / p[2]) * (1.0 + p[1] / p[0] + p[1] / p[2]));
    case 2: return 1.0 / ((p[2] / p[1] + 1.0) * (p[2] / p[1] + 1.0)) + 1.0 / ((1.0 + p[2] / p[0]) * (1.0 + p[2] / p[0])) - 1.0 / ((1.0 + p[2] / p[0] + p[2] / p[1]) * (1.0 + p[2] / p[0] + p[2] / p[1]));
    default: return NAN;
    }
}

static const struct {
    int labels[COUNT + 1], which[COUNT + 1]; /* an order of the marks that the probabilities weigh */
    double (*loss)(int, const double *);
} ORDERS[CELLS] = {
    {{0}, {0}, cell0},
};

/* Sort the marks; those that weigh the same stay as they are. */
static void sort(const double *p, int *order)
{
    for (int k = 0; k < COUNT; k++) {
        int at = k;
        for (; at > 0 && p[MARKED[order[at - 1]]] * MARKS[order[at - 1]] > p[MARKED[k]] * MARKS[k]; at--) {
            order[at] = order[at - 1];
        }
        order[at] = k;
    }
}

/* Number the classes of the same law as their marks appear: place is where each class stands. */
static void number(const int *order, int *place)
{
    int taken[CLASSES] = {0};
    for (int j = 0; j < CLASSES; j++) place[j] = -1;
    for (int k = 0; k < COUNT; k++) {
        const int label = MARKED[order[k]];
        for (int j = 0; j < CLASSES && place[label] < 0; j++) {
            if (LAWS[j] == LAWS[label] && !taken[j]) taken[place[label] = j] = 1;
        }
    }
    for (int j = 0; j < CLASSES; j++) {
        if (place[j] < 0) place[j] = j;
    }
}

/* Return the loss of a row: its class y, from 0 to CLASSES - 1, and the probabilities p of all classes. */
double loss(int y, const double *p, int classes)
{
    double sum = 0.0;
    if (y < 0 || y >= classes) return NAN;
    for (int j = 0; j < classes; j++) {
        if (!(p[j] >= 0.0 && p[j] <= 1.0)) return NAN;
        sum += p[j];
    }
    if (!(fabs(sum - 1.0) <= 1e-5)) return NAN;
    if (classes != CLASSES) return NAN;
    double at_least[CLASSES], standing[CLASSES];
    int order[COUNT + 1] = {0}, place[CLASSES];
    for (int j = 0; j < CLASSES; j++) at_least[j] = fmax(p[j], 1e-30);
    sort(at_least, order);
    number(order, place);
    for (int j = 0; j < CLASSES; j++) standing[place[j]] = at_least[j];
    for (int cell = 0; cell < CELLS; cell++) {
        int k = 0;
        while (k < COUNT && ORDERS[cell].labels[k] == place[MARKED[order[k]]]
               && ORDERS[cell].which[k] == WHICH[order[k]]) k++;
        if (k == COUNT) return ORDERS[cell].loss(place[y], standing);
    }
    return NAN;
}
