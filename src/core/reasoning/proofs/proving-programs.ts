/**
 * The programs that prove something, and what of theirs changes nothing outside build output. What is not here is never taken for a
 * proof. The table in docs/briefing.md names them all.
 *
 *   always      whatever they are told, but for options that change something
 *   checking    only with one of these words: the rest of what they do rewrites files
 *   subcommands only with one of these as their first word that is no option
 *   targets     programs that run what a repository names: each target has to say by its name that it proves something
 */
import { isChangingOption, saysChange, saysProof } from './proving-names.ts';

const listed = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));

const always = listed(
  `pytest py.test jest vitest mocha ava jasmine tap rspec phpunit pest ctest tox nox nose2 bats shellcheck hadolint yamllint actionlint
  markdownlint markdownlint-cli2 stylelint eslint oxlint xo tslint flake8 pylint mypy pyright basedpyright bandit staticcheck
  phpstan psalm rubocop standardrb tsc vue-tsc svelte-check tsd knip depcheck kubeconform kubeval ansible-lint elm-test cppcheck
  clang-tidy jsonlint htmlhint codespell vulture pydocstyle doctest unittest compileall py_compile test [ diff cmp sphinx-build`,
);

/** Their short options that change something, or do not end. */
const changingShort: Readonly<Record<string, ReadonlySet<string>>> = {
  jest: listed('-u'),
  vitest: listed('-u -w'),
  playwright: listed('-u'),
  mocha: listed('-w -u'),
  ava: listed('-u -w'),
  tsc: listed('-w'),
  'vue-tsc': listed('-w'),
  rubocop: listed('-a -A -x'),
  codespell: listed('-w -i'),
  prettier: listed('-w'),
  gofmt: listed('-w'),
  goimports: listed('-w'),
  'clang-format': listed('-i'),
  yapf: listed('-i'),
};

const checking: Readonly<Record<string, RegExp>> = {
  black: /^--(?:check|diff)$/,
  isort: /^(?:--check(?:-only)?|-c|--diff)$/,
  prettier: /^(?:--check|-c|--list-different|-l)$/,
  yapf: /^(?:--diff|-d)$/,
  gofmt: /^-[ld]$/,
  goimports: /^-[ld]$/,
  rustfmt: /^--check$/,
  'clang-format': /^(?:--dry-run|-n)$/,
  'ansible-playbook': /^--syntax-check$/,
  xmllint: /^--noout$/,
  sha256sum: /^(?:-c|--check)$/,
  shasum: /^(?:-c|--check)$/,
  md5sum: /^(?:-c|--check)$/,
  grep: /^(?:-[a-zA-Z]*q[a-zA-Z]*|--quiet|--silent)$/,
  rg: /^(?:-[a-zA-Z]*q[a-zA-Z]*|--quiet)$/,
  jq: /^(?:-[a-zA-Z]*e[a-zA-Z]*|--exit-status)$/,
};

/** `word` alone, or `word option`: only with that option. */
const subcommands: Readonly<Record<string, ReadonlySet<string>>> = {
  cargo: new Set([...listed('test t check c build b clippy doc nextest'), 'fmt --check']),
  go: listed('test vet build'),
  dotnet: new Set(['test', 'build', 'format --verify-no-changes']),
  mix: new Set(['test', 'compile', 'credo', 'dialyzer', 'format --check-formatted']),
  deno: new Set(['test', 'check', 'lint', 'fmt --check']),
  swift: listed('test build'),
  bazel: listed('test build'),
  bazelisk: listed('test build'),
  flutter: listed('test analyze'),
  dart: new Set(['test', 'analyze', 'format --output=none']),
  stack: listed('test build'),
  cabal: listed('test build check'),
  lein: listed('test check'),
  zig: new Set(['test', 'fmt --check']),
  nimble: listed('test check'),
  dune: listed('build test runtest'),
  rebar3: listed('eunit ct dialyzer compile'),
  meson: listed('test compile'),
  ruff: new Set(['check', 'format --check', 'format --diff']),
  ty: listed('check'),
  biome: listed('check lint ci format'),
  dprint: listed('check'),
  sqlfluff: listed('lint'),
  buf: listed('lint build breaking'),
  'golangci-lint': listed('run'),
  terraform: new Set(['validate', 'fmt -check', 'plan -lock=false']),
  tofu: new Set(['validate', 'fmt -check', 'plan -lock=false']),
  helm: listed('lint'),
  opa: listed('test check'),
  conftest: listed('test verify'),
  playwright: listed('test'),
  cypress: listed('run'),
  next: listed('build lint'),
  nuxt: listed('typecheck build'),
  vite: listed('build'),
  webpack: listed('build'),
  'react-scripts': listed('test build'),
  swiftlint: listed('lint'),
  astro: listed('check build'),
  ng: listed('test build lint'),
  mkdocs: listed('build'),
  rails: listed('test test:system zeitwerk:check'),
  artisan: listed('test'),
  'manage.py': listed('test check'),
  'setup.py': listed('test check'),
  git: new Set(['diff --check', 'diff --exit-code', 'diff --quiet']),
  coverage: listed('report'),
};

const phases = listed(
  `test verify compile test-compile package validate integration-test surefire:test checkstyle:check spotless:check spotbugs:check
  pmd:check`,
);

/** Programs that run targets, with the words before a target and those that stand for one. */
const targets: Readonly<Record<string, { readonly before?: RegExp; readonly named?: ReadonlySet<string> }>> =
  {
    make: {},
    gmake: {},
    just: {},
    task: {},
    rake: {},
    turbo: { before: /^run$/ },
    nx: { before: /^(?:run|run-many|affected)$/ },
    lerna: { before: /^run$/ },
    rush: {},
    'run-s': {},
    'run-p': {},
    'npm-run-all': {},
    mvn: { named: phases },
    mvnw: { named: phases },
    sbt: { named: listed('test compile Test/compile') },
    gradle: {},
    gradlew: {},
  };

/** Options that take the word behind them. */
const valued = listed(
  `-C -c -f -F -p -P -pl -T -t -w -x --tests --filter --workspace --prefix --dir --cwd --project-dir --directory --project --projects
  --profile --package --target --targets --configuration --file --manifest-path --features --exclude --console --test-dir`,
);

/** The words of it that are no options and belong to none. */
export function plainWords(args: readonly string[]): string[] {
  return args.filter(
    (arg, i) => !arg.startsWith('-') && !/^\d+$/.test(arg) && !(i > 0 && valued.has(args[i - 1] ?? '')),
  );
}

/** The name of a program without the folder it is in and what a system adds to it. */
export function programName(word: string): string {
  return (word.split(/[/\\]/).at(-1) ?? '').replace(/\.(?:cmd|exe|bat)$/i, '');
}

export const provingPrograms: ReadonlySet<string> = new Set([
  ...always,
  ...[checking, subcommands, targets].flatMap((table) => Object.keys(table)),
]);

/** Whether a program that is listed proves something with these words, and changes nothing. */
export function provesAs(program: string, args: readonly string[]): boolean {
  if (args.some((arg) => isChangingOption(arg) || changingShort[program]?.has(arg) === true)) return false;
  // These take the name of what to do as a plain word.
  if (always.has(program))
    return (
      !/^(?:tox|nox|vitest)$/.test(program) || !args.some((arg) => /^\w[\w-]*$/.test(arg) && saysChange(arg))
    );
  const word = Object.hasOwn(checking, program) ? checking[program] : undefined;
  if (word !== undefined) return args.some((arg) => word.test(arg));
  if (Object.hasOwn(subcommands, program)) return hasSubcommand(subcommands[program] ?? new Set(), args);
  return Object.hasOwn(targets, program) && hasTargets(program, args);
}

function hasSubcommand(known: ReadonlySet<string>, args: readonly string[]): boolean {
  const [first] = plainWords(args.filter((arg) => !arg.startsWith('+')));
  if (first === undefined) return false;
  return known.has(first) || args.some((arg) => known.has(`${first} ${arg}`));
}

function hasTargets(program: string, args: readonly string[]): boolean {
  const { before, named } = targets[program] ?? {};
  const given = args.flatMap((arg, i) => {
    const listing = /^(?:-t|--targets?)(?:=(.*))?$/.exec(arg);
    return listing === null || before === undefined ? [] : (listing[1] ?? args[i + 1] ?? '').split(',');
  });
  const words = plainWords(args).filter((word) => !word.includes('='));
  const isRun = before?.test(words[0] ?? '') === true;
  // `nx test web`: the second word is a project.
  const plain = isRun ? words.slice(1) : program === 'nx' ? words.slice(0, 1) : words;
  const all = [...given, ...plain];
  if (all.length === 0) return false;
  return all.every((target) => (named === undefined ? saysProof(lastName(target)) : named.has(target)));
}

/** `:app:testDebug`, `web:test` and `@scope/web#test` name the last part. */
function lastName(target: string): string {
  const parts = target.split('#').at(-1) ?? '';
  return saysChange(parts) ? parts : (parts.split(':').findLast((part) => part !== '') ?? '');
}
