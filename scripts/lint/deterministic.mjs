/**
 * oxlint plugin for the layers whose numbers must be the same bits in every engine.
 * exact-math: only arithmetic and members of Math that the standard fixes to the last bit; Math.sin and its kind, and
 * `**`, are "implementation-approximated" and differ between engines, CPUs and versions.
 * total-order: no sorting or comparing by rules of the place (locale), no sort that leaves the order open.
 */

/** Members of Math with one correct result: exact operations of IEEE 754 and constants. */
const exact = new Set(
  (
    'abs ceil clz32 floor fround imul max min round sign sqrt trunc ' +
    'E LN2 LN10 LOG2E LOG10E PI SQRT1_2 SQRT2'
  ).split(' '),
);

/** Name of the member that a MemberExpression reads, undefined when it is computed at run time. */
function memberName(node) {
  if (!node.computed) return node.property.name;
  if (node.property.type === 'Literal') return String(node.property.value);
  return undefined;
}

/** Nodes whose key is a name of its own: `{ Math: 1 }`, `interface Table { Math: number }`. */
const keyed = new Set(['Property', 'PropertyDefinition', 'TSPropertySignature']);

/** Whether an identifier is only such a key, not the global Math. */
function isOnlyAName(node) {
  const { parent } = node;
  return keyed.has(parent.type) && parent.key === node && !parent.computed && !parent.shorthand;
}

const exactMath = {
  meta: {
    type: 'problem',
    docs: { description: 'allow only members of Math whose result is fixed by the standard' },
  },
  create(context) {
    const power = (node) =>
      context.report({ node, message: '** is implementation-approximated; multiply instead' });
    return {
      Identifier(node) {
        if (node.name !== 'Math' || isOnlyAName(node)) return;
        const { parent } = node;
        const isObject = parent.type === 'MemberExpression' && parent.object === node;
        if (parent.type === 'MemberExpression' && !isObject && !parent.computed) {
          context.report({ node, message: 'reach Math directly, not through another object' });
          return;
        }
        const member = isObject ? memberName(parent) : undefined;
        if (member === undefined)
          context.report({ node, message: 'Math may not be aliased, destructured or indexed here' });
        else if (!exact.has(member))
          context.report({ node: parent, message: `Math.${member} differs between engines; use src/math` });
      },
      BinaryExpression(node) {
        if (node.operator === '**') power(node);
      },
      AssignmentExpression(node) {
        if (node.operator === '**=') power(node);
      },
    };
  },
};

/** Members that depend on the machine's language or sort by text what may be numbers. */
const placeBound = new Set(['localeCompare', 'toLocaleString', 'toLocaleLowerCase', 'toLocaleUpperCase']);

const totalOrder = {
  meta: {
    type: 'problem',
    docs: { description: 'forbid locale-dependent results and sorts without a comparator' },
  },
  create(context) {
    return {
      CallExpression(node) {
        if (node.callee.type !== 'MemberExpression') return;
        const name = memberName(node.callee);
        if ((name === 'sort' || name === 'toSorted') && node.arguments.length === 0)
          context.report({ node, message: `${name}() needs a comparator that is a total order` });
      },
      MemberExpression(node) {
        const name = memberName(node);
        if (name !== undefined && placeBound.has(name))
          context.report({ node, message: `${name} depends on the machine's language` });
      },
    };
  },
};

export default {
  meta: { name: 'deterministic' },
  rules: { 'exact-math': exactMath, 'total-order': totalOrder },
};
