/*
 * Additive costs, or known ones: a threshold weight with an atom
 *
 * Losses of a probability p of class 1: loss0(p) if the class is 0, loss1(p) if it is 1.
 *
 * If w > 0 and 1 - w > 0:
 * loss0(p) =
 *     p**2*w    up to p = 1/5
 *     p**2*w - w + 1    up to p = 1
 * loss1(p) =
 *     w*(1 - p)**2 - 4*w + 4    up to p = 1/5
 *     w*(1 - p)**2    up to p = 1
 *
 * Parameters are positive. The losses are these formulas as they stand: digits are lost where their terms cancel, as
 * near a breakpoint from which a loss rises from 0. With numbers for the parameters there are programs right to the last
 * digits.
 * At w = 2/3 they are within 1e-14 of the largest loss, in Python at 285 reports.
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
double loss0(double p, double w)
{
    if (!(p >= 0.0 && p <= 1.0)) return NAN;
    if (!(w > 0.0 && w < INFINITY)) return NAN;
    if (!(w > 0)) return NAN;
    if (!(1.0 - w > 0)) return NAN;
    if (p == 0.0) return 0.0;
    if (p == 1.0) return 1.0;
    if (p <= 1.0 / 5.0) return p * p * w;
    return p * p * w - w + 1.0;
}

/* Return the loss of a probability of class 1 if the class is 1. */
double loss1(double p, double w)
{
    const double q = 1.0 - p;
    if (!(p >= 0.0 && p <= 1.0)) return NAN;
    if (!(w > 0.0 && w < INFINITY)) return NAN;
    if (!(w > 0)) return NAN;
    if (!(1.0 - w > 0)) return NAN;
    if (p == 0.0) return 4.0 - 3.0 * w;
    if (p == 1.0) return 0.0;
    if (p <= 1.0 / 5.0) return q * q * w - 4.0 * w + 4.0;
    return q * q * w;
}

/* Return the loss of a probability p of class 1 if the class is y, 0 or 1. */
double loss(int y, double p, double w)
{
    return y == 1 ? loss1(p, w) : y == 0 ? loss0(p, w) : NAN;
}
