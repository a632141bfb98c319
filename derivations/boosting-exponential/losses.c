/*
 * Boosting: geometric costs with the log-odds of the threshold uniform on the whole line
 *
 * Losses of a probability p of class 1: loss0(p) if the class is 0, loss1(p) if it is 1.
 * loss0(p) =
 *     2*b*sqrt(p)/sqrt(1 - p)    up to p = 1
 * loss1(p) =
 *     2*b*sqrt(1 - p)/sqrt(p)    up to p = 1
 *
 * Parameters are positive. The losses are these formulas as they stand: digits are lost where their terms cancel, as
 * near a breakpoint from which a loss rises from 0. With numbers for the parameters there are programs right to the last
 * digits.
 * At b = 1 they are within 1e-14 of the largest loss, in Python at 283 reports.
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
double loss0(double p, double b)
{
    const double q = 1.0 - p;
    if (!(p >= 0.0 && p <= 1.0)) return NAN;
    if (!(b > 0.0 && b < INFINITY)) return NAN;
    if (p == 0.0) return 0.0;
    if (p == 1.0) return INFINITY;
    if (p <= 1.0 / 8.0) return 2.0 * b * ((((((((((((((((((0.13206059957155958 * p + 0.13583375955931842) * p + 0.13994993409141898) * p + 0.14446444809436798) * p + 0.14944598078727722) * p + 0.15498101711273193) * p + 0.1611802577972412) * p + 0.16818809509277344) * p + 0.17619705200195312) * p + 0.1854705810546875) * p + 0.196380615234375) * p + 0.20947265625) * p + 0.2255859375) * p + 0.24609375) * p + 0.2734375) * p + 0.3125) * p + 0.375) * p + 0.5) * p + 1.0) * sqrt(p);
    return 2.0 * b * sqrt(p) / sqrt(q);
}

/* Return the loss of a probability of class 1 if the class is 1. */
double loss1(double p, double b)
{
    const double q = 1.0 - p;
    if (!(p >= 0.0 && p <= 1.0)) return NAN;
    if (!(b > 0.0 && b < INFINITY)) return NAN;
    if (p == 0.0) return INFINITY;
    if (p == 1.0) return 0.0;
    if (p <= 7.0 / 8.0) return 2.0 * b * sqrt(q) / sqrt(p);
    return 2.0 * b * ((((((((((((((((((0.13206059957155958 * q + 0.13583375955931842) * q + 0.13994993409141898) * q + 0.14446444809436798) * q + 0.14944598078727722) * q + 0.15498101711273193) * q + 0.1611802577972412) * q + 0.16818809509277344) * q + 0.17619705200195312) * q + 0.1854705810546875) * q + 0.196380615234375) * q + 0.20947265625) * q + 0.2255859375) * q + 0.24609375) * q + 0.2734375) * q + 0.3125) * q + 0.375) * q + 0.5) * q + 1.0) * sqrt(q);
}

/* Return the loss of a probability p of class 1 if the class is y, 0 or 1. */
double loss(int y, double p, double b)
{
    return y == 1 ? loss1(p, b) : y == 0 ? loss0(p, b) : NAN;
}
