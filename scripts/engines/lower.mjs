// The same program for Hermes 0.12, which has no classes and no scope per block: TypeScript writes it in ES5, arithmetic and
// its order as they were. Character classes by Unicode property, which its regular expressions lack too, become those of
// ASCII, so names must be plain there.

const ascii = { Lu: '[A-Z]', Ll: '[a-z]', Lo: '[^\\s\\S]', Nd: '[0-9]', Cc: '\\x00-\\x1f\\x7f-\\x9f' };

/** The program in ES5. */
export async function lower(program) {
  // Loading it takes longer than most engines take for the scenario.
  const { default: ts } = await import('typescript');
  return ts.transpileModule(
    program.replaceAll(/\\p\{(Lu|Ll|Lo|Nd|Cc)\}/g, (_, name) => ascii[name]),
    {
      fileName: 'program.js',
      compilerOptions: {
        target: ts.ScriptTarget.ES5,
        module: ts.ModuleKind.CommonJS,
        // Loops over iterators as the language has them, not as if all were lists.
        downlevelIteration: true,
        allowJs: true,
        ignoreDeprecations: '6.0',
      },
    },
  ).outputText;
}
