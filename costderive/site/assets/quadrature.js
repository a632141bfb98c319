// Costs with a given power mean, for any exponent: where MODELS has no formula, the threshold weight is integrated here.
"use strict";

/**
 * Return the rule of costs whose power mean with exponent k, neither 0 nor infinite, is m; their proportion s is uniform.
 *
 * In the logit z of s, with C = cosh(z/2) and D = cosh(k z/2)^(1/k), the threshold weight is 2 m C/D, and L0 is the
 * integral of m/4 e^(z/2)/(C^2 D). That is smooth but for poles and branch points off the real axis, the nearest ones at
 * i pi/k; so the panels of Gauss's rule grow from 0 on as these let them. The integrand is positive: nothing cancels.
 */
function powerMean(k) {
  const logD = (z) => logCosh((k * z) / 2) / k;
  const slope = (z) => Math.exp(z / 2 - 2 * logCosh(z / 2) - logD(z)) / 4;
  const edges = panels(k);
  const below = [0];
  for (let i = 0; i + 1 < edges.length; i += 1) below.push(below[i] + gauss(slope, edges[i], edges[i + 1]));

  const upTo = (z) => {
    const i = edges.findLastIndex((edge) => edge <= z);
    return below[i] + gauss(slope, edges[i], z);
  };
  const loss = (right, wrong, m) => {
    if (right === 0 || wrong === 0) return wrong && (k > 0 ? m * below[below.length - 1] : Infinity);
    return m * upTo(Math.log(wrong / right));
  };
  const weight = { tex: "N_0 \\left(\\frac{2}{s^{N_1} + (1 - s)^{N_1}}\\right)^{1/N_1}", numbers: ({ m }) => [m, k] };
  const whole = (piece) => [{ high: () => 1, end: "1", numbers: () => [], ...piece }];
  const integral = (tex) => whole({ tex, letters: tex });
  return {
    loss0: (p, { m }) => loss(1 - p, p, m),
    loss1: (p, { m }) => loss(p, 1 - p, m),
    thresholdWeight: (s, { m }) => {
      const z = Math.log(s / (1 - s));
      return 2 * m * Math.exp(logCosh(z / 2) - logD(z));
    },
    cases: [
      {
        holds: () => true,
        when: "",
        strict: () => [[0, 1]],
        atoms: [],
        loss0: integral("\\int_0^p s \\, \\omega(s) \\, ds"),
        loss1: integral("\\int_p^1 (1 - s) \\, \\omega(s) \\, ds"),
        thresholdWeight: whole({ ...weight, letters: "m \\left(\\frac{2}{s^k + (1 - s)^k}\\right)^{1/k}" }),
      },
    ],
  };
}

/** Return the logarithm of cosh, which neither overflows nor cancels. */
function logCosh(x) {
  const size = Math.abs(x);
  return size < 1 ? Math.log1p(Math.sinh(size) ** 2) / 2 : size + Math.log1p(Math.exp(-2 * size)) - Math.LN2;
}

/** Return the ends of panels over all logits of doubles: each as wide as it is far from 0, up to a width of 1/2, then 2. */
function panels(k) {
  const ends = [];
  for (let end = Math.min(0.5, 2 / Math.abs(k)); end < 750; end += Math.min(end, end < 40 ? 0.5 : 2)) ends.push(end);
  return [...ends.map((end) => -end).reverse(), 0, ...ends];
}

const GAUSS = gaussian(20);

/** Return nodes and weights of Gauss's rule on [-1, 1]: Newton's method on the Legendre polynomial. */
function gaussian(n) {
  return Array.from({ length: n }, (_, i) => {
    let x = Math.cos((Math.PI * (i + 0.75)) / (n + 0.5));
    let slope = 1;
    for (let round = 0; round < 9; round += 1) {
      let [before, value] = [0, 1];
      for (let j = 1; j <= n; j += 1) [before, value] = [value, ((2 * j - 1) * x * value - (j - 1) * before) / j];
      slope = (n * (x * value - before)) / (x * x - 1);
      x -= value / slope;
    }
    return [x, 2 / ((1 - x * x) * slope * slope)];
  });
}

function gauss(f, low, high) {
  const [middle, half] = [(low + high) / 2, (high - low) / 2];
  return half * GAUSS.reduce((sum, [x, weight]) => sum + weight * f(middle + half * x), 0);
}
