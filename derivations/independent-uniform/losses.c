/*
 * Independent uniform costs with any bounds
 *
 * Losses of a probability p of class 1: loss0(p) if the class is 0, loss1(p) if it is 1.
 *
 * If b - a > 0 and e - d > 0 and b*d >= a*e:
 * loss0(p) =
 *     0    up to p = a/(a + e)
 *     (p*(a + e) - a)**2*(2*a + p*(e - 2*a))/(6*p*(1 - p)**2*(b - a)*(e - d))    up to p = a/(a + d)
 *     (p**2*(d**2 + d*e + e**2) - 3*a**2*(1 - p)**2)/(6*(1 - p)**2*(b - a))    up to p = b/(b + e)
 *     a/2 + b/2 - (p*(b + d) - b)**2*(2*b + p*(d - 2*b))/(6*p*(1 - p)**2*(b - a)*(e - d))    up to p = b/(b + d)
 *     a/2 + b/2    up to p = 1
 * loss1(p) =
 *     d/2 + e/2    up to p = a/(a + e)
 *     d/2 + e/2 - (p*(a + e) - a)**2*(a + p*(2*e - a))/(6*p**2*(1 - p)*(b - a)*(e - d))    up to p = a/(a + d)
 *     (3*b*d + 3*b*e + p*(-3*b*d - 3*b*e - 2*d**2 - 2*d*e - 2*e**2))/(6*(1 - p)*(b - a))    up to p = b/(b + e)
 *     (p*(b + d) - b)**2*(b + p*(2*d - b))/(6*p**2*(1 - p)*(b - a)*(e - d))    up to p = b/(b + d)
 *     0    up to p = 1
 *
 * If b - a > 0 and e - d > 0 and a*e >= b*d:
 * loss0(p) =
 *     0    up to p = a/(a + e)
 *     (p*(a + e) - a)**2*(2*a + p*(e - 2*a))/(6*p*(1 - p)**2*(b - a)*(e - d))    up to p = b/(b + e)
 *     (p*(2*a**2 + 2*a*b + 3*a*e + 2*b**2 + 3*b*e) - 2*a**2 - 2*a*b - 2*b**2)/(6*p*(e - d))    up to p = a/(a + d)
 *     a/2 + b/2 - (p*(b + d) - b)**2*(2*b + p*(d - 2*b))/(6*p*(1 - p)**2*(b - a)*(e - d))    up to p = b/(b + d)
 *     a/2 + b/2    up to p = 1
 * loss1(p) =
 *     d/2 + e/2    up to p = a/(a + e)
 *     d/2 + e/2 - (p*(a + e) - a)**2*(a + p*(2*e - a))/(6*p**2*(1 - p)*(b - a)*(e - d))    up to p = b/(b + e)
 *     ((1 - p)**2*(a**2 + a*b + b**2) - 3*d**2*p**2)/(6*p**2*(e - d))    up to p = a/(a + d)
 *     (p*(b + d) - b)**2*(b + p*(2*d - b))/(6*p**2*(1 - p)*(b - a)*(e - d))    up to p = b/(b + d)
 *     0    up to p = 1
 *
 * Parameters are positive. The losses are these formulas as they stand: digits are lost where their terms cancel, as
 * near a breakpoint from which a loss rises from 0. With numbers for the parameters there are programs right to the last
 * digits.
 * At a = 1, b = 2, d = 1, e = 3 they are within 1e-14 of the largest loss, in Python at 291 reports.
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

static double loss0_part2(double p, double q, double a, double b, double d, double e)
{
    const double x0 = a * q;
    return (e * p - x0) * (e * p - x0) * (e * p + 2.0 * x0) / (p * (q * q) * (-a + b) * (-d + e)) / 6.0;
}

static double loss0_part4(double p, double q, double a, double b, double d, double e)
{
    const double x0 = b * q;
    return 0.5 * a + 0.5 * b - 0.16666666666666666 * ((d * p - x0) * (d * p - x0)) * (d * p + 2.0 * x0) / (p * (q * q) * (-a + b) * (-d + e));
}

static double loss1_part2(double p, double q, double a, double b, double d, double e)
{
    const double x0 = a * q;
    return 0.5 * d + 0.5 * e - 0.16666666666666666 * ((e * p - x0) * (e * p - x0)) * (2.0 * e * p + x0) / (p * p * q * (-a + b) * (-d + e));
}

static double loss1_part4(double p, double q, double a, double b, double d, double e)
{
    const double x0 = b * q;
    return (d * p - x0) * (d * p - x0) * (2.0 * d * p + x0) / (p * p * q * (-a + b) * (-d + e)) / 6.0;
}

/* Return the loss of a probability of class 1 if the class is 0. */
double loss0(double p, double a, double b, double d, double e)
{
    const double q = 1.0 - p;
    if (!(p >= 0.0 && p <= 1.0)) return NAN;
    if (!(a > 0.0 && a < INFINITY)) return NAN;
    if (!(b > 0.0 && b < INFINITY)) return NAN;
    if (!(d > 0.0 && d < INFINITY)) return NAN;
    if (!(e > 0.0 && e < INFINITY)) return NAN;
    if (!(b - a > 0)) return NAN;
    if (!(e - d > 0)) return NAN;
    const double in_case1 = (b * d - a * e >= 0);
    if (p == 0.0) return 0.0;
    if (p == 1.0) return 0.5 * a + 0.5 * b;
    if (p <= a / (a + e)) return 0.0;
    if (p <= (in_case1 ? a / (a + d) : b / (b + e))) return loss0_part2(p, q, a, b, d, e);
    if (p <= (in_case1 ? b / (b + e) : a / (a + d))) return (in_case1 ? (-3.0 * (a * a) * (q * q) + p * p * (d * d + d * e + e * e)) / (q * q * (-a + b)) / 6.0 : (3.0 * e * p * (a + b) + q * (-2.0 * (a * a) - 2.0 * a * b - 2.0 * (b * b))) / (p * (-d + e)) / 6.0);
    if (p <= b / (b + d)) return loss0_part4(p, q, a, b, d, e);
    return 0.5 * a + 0.5 * b;
}

/* Return the loss of a probability of class 1 if the class is 1. */
double loss1(double p, double a, double b, double d, double e)
{
    const double q = 1.0 - p;
    if (!(p >= 0.0 && p <= 1.0)) return NAN;
    if (!(a > 0.0 && a < INFINITY)) return NAN;
    if (!(b > 0.0 && b < INFINITY)) return NAN;
    if (!(d > 0.0 && d < INFINITY)) return NAN;
    if (!(e > 0.0 && e < INFINITY)) return NAN;
    if (!(b - a > 0)) return NAN;
    if (!(e - d > 0)) return NAN;
    const double in_case1 = (b * d - a * e >= 0);
    if (p == 0.0) return 0.5 * d + 0.5 * e;
    if (p == 1.0) return 0.0;
    if (p <= a / (a + e)) return 0.5 * d + 0.5 * e;
    if (p <= (in_case1 ? a / (a + d) : b / (b + e))) return loss1_part2(p, q, a, b, d, e);
    if (p <= (in_case1 ? b / (b + e) : a / (a + d))) return (in_case1 ? (-2.0 * p * (d * d + d * e + e * e) + q * (d * (3.0 * b) + e * (3.0 * b))) / (q * (-a + b)) / 6.0 : (-3.0 * (d * d) * (p * p) + q * q * (a * a + a * b + b * b)) / (p * p * (-d + e)) / 6.0);
    if (p <= b / (b + d)) return loss1_part4(p, q, a, b, d, e);
    return 0.0;
}

/* Return the loss of a probability p of class 1 if the class is y, 0 or 1. */
double loss(int y, double p, double a, double b, double d, double e)
{
    return y == 1 ? loss1(p, a, b, d, e) : y == 0 ? loss0(p, a, b, d, e) : NAN;
}
