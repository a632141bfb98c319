/*
 * Boosting: geometric costs with the log-odds of the threshold uniform on the whole line
 *
 * Written by costderive 0.1.0. p is the probability of class 1.
 *
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
 * NaN is the loss of what is not a probability, and of parameters of which a condition above does not hold.
 * C99: link with -lm, and do not compile with -ffast-math.
 */

#include <math.h>

/* Return x**exponent times the polynomial with these coefficients in x**step. */
static double series(double x, double exponent, double step, int count, const double *coefficients)
{
    const double power = pow(x, step);
    double total = 0.0;
    while (count-- > 0) total = total * power + coefficients[count];
    return total * pow(x, exponent);
}

static const double NEAR_ZERO_0[] = {
    1.0, 0.5, 0.375, 0.3125,
    0.2734375, 0.24609375, 0.2255859375, 0.20947265625,
    0.196380615234375, 0.1854705810546875, 0.17619705200195312, 0.16818809509277344,
    0.1611802577972412, 0.15498101711273193, 0.14944598078727722, 0.14446444809436798,
    0.13994993409141898, 0.13583375955931842, 0.13206059957155958,
};

static const double NEAR_ZERO_1[] = {
    1.0, 0.5, 0.375, 0.3125,
    0.2734375, 0.24609375, 0.2255859375, 0.20947265625,
    0.196380615234375, 0.1854705810546875, 0.17619705200195312, 0.16818809509277344,
    0.1611802577972412, 0.15498101711273193, 0.14944598078727722, 0.14446444809436798,
    0.13994993409141898, 0.13583375955931842, 0.13206059957155958,
};

/* Return the loss of p when the class is 0. */
double loss0(double p, double b)
{
    if (!(b > 0.0 && b < INFINITY)) return NAN;
    if (!(p >= 0.0 && p <= 1.0)) return NAN;
    if (p == 0.0) return 0.0;
    if (p == 1.0) return INFINITY;
    if (p <= 1.0 / 8.0) return (2.0 * b) * series(p, 0.5, 1.0, 19, NEAR_ZERO_0);
    return 2.0 * b * sqrt(p) / sqrt(1.0 - p);
}

/* Return the loss of p when the class is 1. */
double loss1(double p, double b)
{
    if (!(b > 0.0 && b < INFINITY)) return NAN;
    if (!(p >= 0.0 && p <= 1.0)) return NAN;
    if (p == 0.0) return INFINITY;
    if (p == 1.0) return 0.0;
    if (p <= 7.0 / 8.0) return 2.0 * b * sqrt(1.0 - p) / sqrt(p);
    return (2.0 * b) * series(1.0 - p, 0.5, 1.0, 19, NEAR_ZERO_1);
}

/* Return the loss of a probability p of class 1 if the class is y, 0 or 1. */
double loss(int y, double p, double b)
{
    return y == 1 ? loss1(p, b) : y == 0 ? loss0(p, b) : NAN;
}
