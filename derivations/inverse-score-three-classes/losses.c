/*
 * Independent uniform costs of three classes: the Inverse Score of three classes
 *
 * Written by costderive 0.2.0.
 *
 * The expected cost of a class that is not chosen, for independent costs uniform on (0, end).
 *
 * The losses are these formulas as they stand: right to some roundings of their terms, and those of costs to 1e-12 of the
 * mean cost.
 * NaN is the loss of what is not a label, or not a row of probabilities.
 * A row may miss the sum 1 by 1e-5, as one of single precision does.
 * C99: link with -lm, and do not compile with -ffast-math.
 */

#include <math.h>
#include <stdlib.h>

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "compile without -ffast-math and -Ofast: they drop the checks for NaN, and digits of the losses"
#endif

enum { CLASSES = 3 };
static const double SCALE = 1.0;
static const double ENDS[CLASSES] = {1.0, 1.0, 1.0}; /* of the costs of the classes */

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
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
    double shares[CLASSES];
    int n = 0;
    for (int j = 0; j < classes; j++) {
        if (j != y) shares[n++] = log(ENDS[j] / ENDS[y]) + log(fmax(p[j], 1e-300)) - log(fmax(p[y], 1e-300));
    }
    qsort(shares, (size_t)n, sizeof(double), ascending);
    double below = 0.0;
    for (int m = 0; m < n; m++) below -= fmax(shares[m], 0.0);
    double total = exp(2.0 * fmin(shares[n - 1], 0.0)) * (0.5 - exp(below) / 3.0);
    for (int m = n - 2; m >= 0; m--) {
        const double low = fmin(shares[m], 0.0), left = n - m;
        below += (low - fmin(shares[m + 1], 0.0)) * (left - 1.0);
        total += exp(2.0 * low + below) / ((left + 1.0) * (left + 2.0));
    }
    return SCALE * ENDS[y] * total;
}
