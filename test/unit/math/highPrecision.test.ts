/**
 * The measuring rod itself: the series of support/highPrecision.ts against digits printed by another program
 * (mpmath 1.3.0 at 3000 bits), and the ulp count against cases that can be counted by hand.
 */
import { expect, test } from 'vitest';
import {
  exactAcos,
  exactAsin,
  exactAtan,
  exactAtan2,
  exactCos,
  exactExp,
  exactLog,
  exactSin,
  exactSlerp,
  exactTan,
  type Real,
  ulpError,
} from './support/highPrecision.js';

const functions = {
  exp: exactExp,
  log: exactLog,
  sin: exactSin,
  cos: exactCos,
  tan: exactTan,
  asin: exactAsin,
  acos: exactAcos,
  atan: exactAtan,
};

/** Function, argument, 40 significant digits. */
const printed: [keyof typeof functions, number, string][] = [
  ['exp', 1.0, '2.718281828459045235360287471352662497757'],
  ['exp', -0.3, '0.7408182206817178742916082359446519848763'],
  ['exp', 123.456, '4.132944352778106135833950974610460257166e+53'],
  ['exp', -744.9, '3.119179947927216322998470986705905016065e-324'],
  ['exp', 1e-9, '1.000000001000000000500000062448258186770'],
  ['log', 2.0, '0.6931471805599453094172321214581765680755'],
  ['log', 0.9999999, '-0.0000001000000049473647432901626288320542707509'],
  ['log', 1e300, '690.7755278982137052579021966605136811507'],
  ['log', 5e-324, '-744.4400719213812623141072984460816341131'],
  ['log', 1.0000000000000002, '2.220446049250312834328230454615487925982e-16'],
  ['sin', 1.0, '0.8414709848078965066525023216302989996226'],
  ['sin', -3.141592653589793, '-1.224646799147353177226065932274997997083e-16'],
  ['sin', 1e22, '-0.8522008497671888017727058937530293682618'],
  ['sin', 5.319372648326541e255, '0.9999999999999999999999999999999999998902'],
  ['sin', 1e300, '-0.8178819121159085970458852827554262120114'],
  ['cos', 1.0, '0.5403023058681397174009366074429766037323'],
  ['cos', 1.5707963267948966, '6.123233995736765886130329661375001464640e-17'],
  ['cos', 1e22, '0.5232147853951389454975944733847094921409'],
  ['cos', 5.319372648326541e255, '-4.687165924254627611122582801963884398778e-19'],
  ['cos', 1e300, '-0.5753861119575490466882442759658061506357'],
  ['tan', 1.0, '1.557407724654902230506974807458360173087'],
  ['tan', 1.5707963267948966, '16331239353195369.75596773704152891653086'],
  ['tan', 1e22, '-1.628778225606898878549375936939548513545'],
  ['tan', 5.319372648326541e255, '-2133485385753703843.674852663344474982752'],
  ['tan', -1e-200, '-9.999999999999999821002623990827595960544e-201'],
  ['asin', 0.5, '0.5235987755982988730771072305465838140329'],
  ['asin', -0.9999999999999999, '-1.570796311893735425383665303776316016594'],
  ['asin', 1e-7, '0.0000001000000000000001621414778492560199092840'],
  ['asin', 0.75, '0.8480620789814810080529443389984180800734'],
  ['asin', 1e-300, '1.000000000000000025059091835208759685696e-300'],
  ['acos', 0.5, '1.047197551196597746154214461093167628066'],
  ['acos', -0.9999999999999999, '3.141592638688632044614986995416067458693'],
  ['acos', 0.9999999999999999, '0.00000001490116119384765638786343542550461592240'],
  ['acos', 0.75, '0.7227342478134156111783773526413333620252'],
  ['acos', 1e-300, '1.570796326794896619231321691639751442099'],
  ['atan', 1.0, '0.7853981633974483096156608458198757210493'],
  ['atan', 0.3, '0.2914567944778670818100722854222806997775'],
  ['atan', -10000000000.0, '-1.570796326694896619231321691640084775432'],
  ['atan', 1e-300, '1.000000000000000025059091835208759685696e-300'],
  ['atan', 3.0, '1.249045772398254425829917077281090123078'],
];

/** Leading decimal digits on which the printed number and the real number agree. */
function agreeingDigits(text: string, exact: Real): number {
  const [digits = '', exponent = '0'] = text.split('e');
  const [whole = '', fraction = ''] = digits.split('.');
  const places = fraction.length - Number(exponent);
  const numerator = BigInt(whole + fraction) * (places < 0 ? 10n ** BigInt(-places) : 1n);
  const denominator = places > 0 ? 10n ** BigInt(places) : 1n;
  const one = exact.bits < 0 ? 1n : 1n << BigInt(exact.bits);
  const value = exact.bits < 0 ? exact.value << BigInt(-exact.bits) : exact.value;
  const difference = numerator * one - value * denominator;
  const scaled = (difference * 10n ** 60n) / (value * denominator);
  return 60 - (scaled < 0n ? -scaled : scaled).toString().length;
}

test.each(printed)('the series of %s(%d) agrees with the digits printed by mpmath', (name, x, text) => {
  expect(agreeingDigits(text, functions[name](x))).toBeGreaterThanOrEqual(38);
});

test('the angle of a point agrees with the digits printed by mpmath in the left half plane', () => {
  expect(agreeingDigits('3.141592653589793238462643383279502884197', exactAtan2(1e-300, -1))).toBeGreaterThan(
    38,
  );
  expect(agreeingDigits('-2.498091544796508851659834154562180246156', exactAtan2(-3, -4))).toBeGreaterThan(
    38,
  );
});

test('the ulp count is 0 for a number itself, 1 for its neighbour, 1/2 half way', () => {
  const one: Real = { value: 1n << 100n, bits: 100 };
  expect(ulpError(1, one)).toBe(0);
  expect(ulpError(1 + 2.220446049250313e-16, one)).toBe(1);
  expect(ulpError(1, { value: (1n << 100n) + (1n << 47n), bits: 100 })).toBe(0.5);
  expect(ulpError(5e-324, { value: 1n, bits: 1075 })).toBe(0.5);
  expect(ulpError(0, { value: 3n, bits: 1074 })).toBe(3);
  expect(ulpError(NaN, one)).toBe(Infinity);
});

test('the interpolation half way between the axes x and y lies at 45 degrees', () => {
  const { components, bits } = exactSlerp([1, 0, 0, 0], [0, 1, 0, 0], 0.5);
  const half = 1n << BigInt(2 * bits - 1);
  const slack = 1n << BigInt(2 * bits - 200);
  for (const k of [0, 1]) {
    const off = components[k]! * components[k]! - half;
    expect(off < slack && -off < slack).toBe(true);
  }
});
