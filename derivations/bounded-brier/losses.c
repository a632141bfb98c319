/*
 * Additive costs, thresholds that a clinician bounds: the bounded-threshold Brier score
 *
 * Losses of a probability p of class 1: loss0(p) if the class is 0, loss1(p) if it is 1.
 *
 * If h - l > 0 and 1 - h > 0:
 * loss0(p) =
 *     0    up to p = l
 *     (p - l)*(l + p)/(h - l)    up to p = h
 *     h + l    up to p = 1
 * loss1(p) =
 *     2 - h - l    up to p = l
 *     (p - h)*(h + p - 2)/(h - l)    up to p = h
 *     0    up to p = 1
 *
 * Parameters are positive. The losses are these formulas as they stand: digits are lost where their terms cancel, as
 * near a breakpoint from which a loss rises from 0. With numbers for the parameters there are programs right to the last
 * digits.
 * At l = 1/20, h = 3/10 they are within 1e-14 of the largest loss, in Python at 287 reports.
 *
 * NaN is the loss of what is not a probability.
 * C99: link with -lm, and do not compile with -ffast-math.
 * NaN is also the loss of parameters that break a condition above.
 * Written by costderive 0.2.0.
 */

#include <math.h>

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "compile without -ffast-math and -Ofast: they drop the checks for NaN, and digits of the losses"
#endif

/* Return the loss of a probability of class 1 if the class is 0. */
double loss0(double p, double h, double l)
{
    if (!(p >= 0.0 && p <= 1.0)) return NAN;
    if (!(h > 0.0 && h < INFINITY)) return NAN;
    if (!(l > 0.0 && l < INFINITY)) return NAN;
    if (!(h - l > 0)) return NAN;
    if (!(1.0 - h > 0)) return NAN;
    if (p == 0.0) return 0.0;
    if (p == 1.0) return h + l;
    if (p <= l) return 0.0;
    if (p <= h) return (-l + p) * (l + p) / (h - l);
    return h + l;
}

/* Return the loss of a probability of class 1 if the class is 1. */
double loss1(double p, double h, double l)
{
    if (!(p >= 0.0 && p <= 1.0)) return NAN;
    if (!(h > 0.0 && h < INFINITY)) return NAN;
    if (!(l > 0.0 && l < INFINITY)) return NAN;
    if (!(h - l > 0)) return NAN;
    if (!(1.0 - h > 0)) return NAN;
    if (p == 0.0) return -h - l + 2.0;
    if (p == 1.0) return 0.0;
    if (p <= l) return -h - l + 2.0;
    if (p <= h) return (-h + p) * (h + p - 2.0) / (h - l);
    return 0.0;
}

/* Return the loss of a probability p of class 1 if the class is y, 0 or 1. */
double loss(int y, double p, double h, double l)
{
    return y == 1 ? loss1(p, h, l) : y == 0 ? loss0(p, h, l) : NAN;
}
