/*
 * Independent uniform costs on [1, 2] and [1, 3]: bd <= ae
 *
 * Losses of a probability p of class 1: loss0(p) if the class is 0, loss1(p) if it is 1.
 * loss0(p) =
 *     0    up to p = 1/4
 *     (p + 2)*(4*p - 1)**2/(12*p*(1 - p)**2)    up to p = 2/5
 *     (41*p - 14)/(12*p)    up to p = 1/2
 *     (45*p**3 - 108*p**2 + 78*p - 16)/(12*p*(1 - p)**2)    up to p = 2/3
 *     3/2    up to p = 1
 * loss1(p) =
 *     2    up to p = 1/4
 *     2 - (4*p - 1)**2*(5*p + 1)/(12*p**2*(1 - p))    up to p = 2/5
 *     1/3 + 7*(1 - 2*p)/(12*p**2)    up to p = 1/2
 *     (3*p - 2)**2/(6*p**2*(1 - p))    up to p = 2/3
 *     0    up to p = 1
 *
 * Accuracy, in units in the last place of a double, measured with NumPy against 40 exact digits:
 *     loss0: within 3.3
 *     loss1: within 2.8
 * Where a formula would cancel, polynomials that were fitted to exact values take its place.
 *
 * NaN is the loss of what is not a probability.
 * C99: link with -lm, and do not compile with -ffast-math.
 * Written by costderive 0.1.0.
 */

#include <math.h>

static const double LOSS_0[][22] = {
    {0.325, 0.03750000000000005, 26.666666666666632, 0.0,
     0.0, 0.0, 0.0, 4.098344741264284e-12,
     -3.128250393755371e-11, 2.245333250805572e-10, -1.7206803878347755e-09, 1.3236151192709485e-08,
     -1.0110767479137878e-07, 7.814980174272296e-07, -5.883078020153265e-06, 4.692827981609282e-05,
     -0.00032958085564645815, 0.003015778745158335, -0.01544241411139618, 0.23365080030746496,
     -0.18344118127742434, 20.89739986885597},
    {0.3625, 0.056249999999999994, 53.33333333333338, 0.0,
     0.0, 0.0, 0.0, 0.0,
     0.0, 0.0, 5.645068738423191e-15, 1.3244577948070461e-13,
     1.4962616808718846e-12, 5.58247305536865e-11, 1.5345239398932663e-10, 2.8933321430316892e-08,
     -2.3217939243923634e-07, 1.7129996354733406e-05, -0.00024879944647909877, 0.00863952566721041,
     -0.07617762571380376, 0.1855287569573284},
    {0.39999999999999997, 0.018750000000000017, 53.333333333333286, 0.0,
     0.0, 0.0, 0.0, 0.0,
     0.0, 0.0, 0.0, 7.403593574585117e-14,
     -3.722996149175141e-13, 4.739800694095178e-11, -6.283155369440962e-10, 3.240849971753064e-08,
     -5.894078465225999e-07, 2.1202883715929923e-05, -0.0003997638041441809, 0.010568952009557092,
     -0.11429359676187494, 0.37471586204820173}
};

/* Return the polynomial of the first row that ends at or above p. A row is its end, centre, scale and
 * coefficients from the highest. */
static double polynomial(const double (*row)[22], double p, double z)
{
    while (p > (*row)[0]) ++row;
    z = (z - (*row)[1]) * (*row)[2];
    double value = (*row)[3];
    for (int k = 4; k < 22; ++k) value = value * z + (*row)[k];
    return value;
}

static double loss0_part2(double p)
{
    const double x = p - 0.25;
    return polynomial(LOSS_0, p, x) * x * x;
}

static double loss0_part3(double p)
{
    const double x = 0.4 - p - 2.2204460492503132e-17;
    return polynomial(LOSS_0, p, x);
}

static double loss0_part4(double p)
{
    const double distance = p - 0.4 + 2.2204460492503132e-17;
    return 0.08333333333333333 * (205.0 * distance + 12.0) / (5.0 * distance + 2.0);
}

static double loss0_part5(double p)
{
    const double distance = p - 0.5;
    const double x0 = 2.0 * distance;
    return 0.08333333333333333 * (360.0 * (distance * distance * distance) - 324.0 * (distance * distance) + 30.0 * distance + 13.0) / ((x0 - 1.0) * (x0 - 1.0) * (x0 + 1.0));
}

static double loss1_part4(double p)
{
    const double distance = p - 0.5;
    const double x0 = 2.0 * distance;
    return -((6.0 * distance - 1.0) * (6.0 * distance - 1.0)) / (3.0 * (x0 - 1.0) * ((x0 + 1.0) * (x0 + 1.0)));
}

/* Return the loss of a probability of class 1 if the class is 0. */
double loss0(double p)
{
    if (!(p >= 0.0 && p <= 1.0)) return NAN;
    if (p == 0.0) return 0.0;
    if (p == 1.0) return 1.5;
    if (p <= 0.25) return 0.0;
    if (p <= 0.325) return loss0_part2(p);
    if (p <= 0.39999999999999997) return loss0_part3(p);
    if (p <= 0.5) return loss0_part4(p);
    if (p <= 0.6666666666666666) return loss0_part5(p);
    return 1.5;
}

/* Return the loss of a probability of class 1 if the class is 1. */
double loss1(double p)
{
    const double r = 1.0 - p;
    if (!(p >= 0.0 && p <= 1.0)) return NAN;
    if (p == 0.0) return 2.0;
    if (p == 1.0) return 0.0;
    if (p <= 0.25) return 2.0;
    if (p <= 0.39999999999999997) return 2.0 - 0.08333333333333333 * ((4.0 * p - 1.0) * (4.0 * p - 1.0)) * (5.0 * p + 1.0) / (p * p * r);
    if (p <= 0.5) return 0.3333333333333333 + 0.5833333333333334 * (1.0 - 2.0 * p) / (p * p);
    if (p <= 0.6666666666666666) return loss1_part4(p);
    return 0.0;
}

/* Return the loss of a probability p of class 1 if the class is y, 0 or 1. */
double loss(int y, double p)
{
    return y == 1 ? loss1(p) : y == 0 ? loss0(p) : NAN;
}
