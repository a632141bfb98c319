/*
 * Independent uniform costs from 0, with unequal upper bounds
 *
 * Losses of a probability p of class 1: loss0(p) if the class is 0, loss1(p) if it is 1.
 * loss0(p) =
 *     3*p**2/(4*(1 - p)**2)    up to p = 2/5
 *     (13*p - 4)/(9*p)    up to p = 1
 * loss1(p) =
 *     3*(1 - 2*p)/(2*(1 - p))    up to p = 2/5
 *     2*(1 - p)**2/(9*p**2)    up to p = 1
 *
 * Accuracy, in units in the last place of a double, measured with NumPy against 40 exact digits:
 *     loss0: within 2.8
 *     loss1: within 3
 *
 * NaN is the loss of what is not a probability.
 * C99: link with -lm, and do not compile with -ffast-math.
 * Written by costderive 0.2.0.
 */

#include <math.h>

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "compile without -ffast-math and -Ofast: they drop the checks for NaN, and digits of the losses"
#endif

static double loss0_part1(double p, double q)
{
    const double rest = 1.0 - q - p;
    return 0.75 * (p * p) / (q * (q + 2.0 * rest));
}

static double loss1_part2(double p, double q)
{
    const double rest = 1.0 - q - p;
    return 0.2222222222222222 * q * (q + 2.0 * rest) / (p * p);
}

/* Return the loss of a probability of class 1 if the class is 0. */
double loss0(double p)
{
    const double q = 1.0 - p;
    if (!(p >= 0.0 && p <= 1.0)) return NAN;
    if (p == 0.0) return 0.0;
    if (p == 1.0) return 1.0;
    if (p <= 0.39999999999999997) return loss0_part1(p, q);
    return (13.0 * p - 4.0) / (9.0 * p);
}

/* Return the loss of a probability of class 1 if the class is 1. */
double loss1(double p)
{
    const double q = 1.0 - p;
    if (!(p >= 0.0 && p <= 1.0)) return NAN;
    if (p == 0.0) return 1.5;
    if (p == 1.0) return 0.0;
    if (p <= 0.39999999999999997) return 1.5 * (1.0 - 2.0 * p) / q;
    return loss1_part2(p, q);
}

/* Return the loss of a probability p of class 1 if the class is y, 0 or 1. */
double loss(int y, double p)
{
    return y == 1 ? loss1(p) : y == 0 ? loss0(p) : NAN;
}
