// SPDX-License-Identifier: BSD-3-Clause
// Rules of the page's sources and tests. Names that are not there are found by tsc.
const rules = [
  "constructor-super",
  "eqeqeq",
  "for-direction",
  "no-async-promise-executor",
  "no-const-assign",
  "no-constant-condition",
  "no-dupe-args",
  "no-dupe-class-members",
  "no-dupe-else-if",
  "no-dupe-keys",
  "no-duplicate-imports",
  "no-fallthrough",
  "no-func-assign",
  "no-import-assign",
  "no-loss-of-precision",
  "no-self-assign",
  "no-sparse-arrays",
  "no-this-before-super",
  "no-unreachable",
  "no-unsafe-finally",
  "no-unsafe-optional-chaining",
  "no-useless-escape",
  "no-var",
  "use-isnan",
  "valid-typeof",
];

export default [
  {
    rules: {
      ...Object.fromEntries(rules.map((rule) => [rule, "error"])),
      "max-len": ["error", { code: 120 }],
      "no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "prefer-const": ["error", { destructuring: "all" }],
    },
  },
  { files: ["**/web/src/**"], rules: { "max-lines": ["error", { max: 400 }] } },
];
