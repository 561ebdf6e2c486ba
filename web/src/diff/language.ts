import type { Language } from './colours.ts';

const byEnding: Readonly<Record<Language, string>> = {
  bash: 'sh bash zsh ksh bats',
  c: 'c h cc cpp cxx hpp hh m',
  go: 'go',
  ini: 'ini toml cfg conf properties editorconfig npmrc',
  java: 'java kt kts scala groovy gradle cs dart',
  json: 'json jsonc json5 map',
  markdown: 'md mdx markdown',
  python: 'py pyi',
  rust: 'rs',
  typescript: 'ts tsx mts cts js jsx mjs cjs',
  xml: 'xml html htm svg xhtml vue svelte plist',
  yaml: 'yml yaml',
};

const languages = new Map(
  Object.entries(byEnding).flatMap(([language, endings]) =>
    endings.split(' ').map((ending) => [ending, language as Language] as const),
  ),
);

/** Undefined: shown without colours. */
export function languageOf(path: string): Language | undefined {
  const name = path.split('/').at(-1)?.toLowerCase() ?? '';
  return languages.get(name.split('.').at(-1) ?? '');
}
