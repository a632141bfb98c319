/*
 * Independent uniform costs on [1, 2] and [1, 3]: bd <= ae
 *
 * Losses of a probability p of class 1: loss0(p) if the class is 0, loss1(p) if it is 1.
 * loss0(p) =
 *     0    up to p = 1/4
 *     (p + 2)*(4*p - 1)**2/(12*p*(1 - p)**2)    up to p = 2/5
 *     (41*p - 14)/(12*p)    up to p = 1/2
 *     3/2 - (4 - 3*p)*(3*p - 2)**2/(12*p*(1 - p)**2)    up to p = 2/3
 *     3/2    up to p = 1
 * loss1(p) =
 *     2    up to p = 1/4
 *     2 - (4*p - 1)**2*(5*p + 1)/(12*p**2*(1 - p))    up to p = 2/5
 *     1/3 + 7*(1 - 2*p)/(12*p**2)    up to p = 1/2
 *     (3*p - 2)**2/(6*p**2*(1 - p))    up to p = 2/3
 *     0    up to p = 1
 *
 * Accuracy, in units in the last place of a double, measured with NumPy against 40 exact digits:
 *     loss0: within 3.2
 *     loss1: within 2.5
 *
 * NaN is the loss of what is not a probability.
 * C99: link with -lm, and do not compile with -ffast-math.
 * Written by costderive 0.2.0.
 */

#include <math.h>

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "compile without -ffast-math and -Ofast: they drop the checks for NaN, and digits of the losses"
#endif

static double loss0_part2(double p)
{
    const double distance = p - 0.25;
    return 64.0 * (distance * distance) * (4.0 * distance + 9.0) / (distance * (distance * (192.0 * distance - 240.0) + 36.0) + 27.0);
}

static double loss0_part3(double p)
{
    const double distance = p - 0.4 + 2.2204460492503132e-17;
    return 0.08333333333333333 * (205.0 * distance + 12.0) / (5.0 * distance + 2.0);
}

static double loss0_part4(double p, double q)
{
    const double x0 = 3.0 * p;
    return 1.5 - 0.08333333333333333 * (4.0 - x0) * ((x0 - 2.0) * (x0 - 2.0)) / (p * (q * q));
}

static double loss1_part4(double p)
{
    const double distance = p - 0.5;
    return -(6.0 * distance - 1.0) * (6.0 * distance - 1.0) / (distance * (distance * (24.0 * distance + 12.0) - 6.0) - 3.0);
}

/* Return the loss of a probability of class 1 if the class is 0. */
double loss0(double p)
{
    const double q = 1.0 - p;
    if (!(p >= 0.0 && p <= 1.0)) return NAN;
    if (p == 0.0) return 0.0;
    if (p == 1.0) return 1.5;
    if (p <= 0.25) return 0.0;
    if (p <= 0.39999999999999997) return loss0_part2(p);
    if (p <= 0.5) return loss0_part3(p);
    if (p <= 0.6666666666666666) return loss0_part4(p, q);
    return 1.5;
}

/* Return the loss of a probability of class 1 if the class is 1. */
double loss1(double p)
{
    const double q = 1.0 - p;
    if (!(p >= 0.0 && p <= 1.0)) return NAN;
    if (p == 0.0) return 2.0;
    if (p == 1.0) return 0.0;
    if (p <= 0.25) return 2.0;
    if (p <= 0.39999999999999997) return 2.0 - 0.08333333333333333 * ((4.0 * p - 1.0) * (4.0 * p - 1.0)) * (5.0 * p + 1.0) / (p * p * q);
    if (p <= 0.5) return 0.3333333333333333 + 0.5833333333333334 * (1.0 - 2.0 * p) / (p * p);
    if (p <= 0.6666666666666666) return loss1_part4(p);
    return 0.0;
}

/* Return the loss of a probability p of class 1 if the class is y, 0 or 1. */
double loss(int y, double p)
{
    return y == 1 ? loss1(p) : y == 0 ? loss0(p) : NAN;
}
