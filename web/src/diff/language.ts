import type { Language } from './colours.ts';

const byEnding: Readonly<Record<Language, string>> = {
  bash: 'sh bash zsh ksh bats',
  go: 'go',
  json: 'json jsonc json5 map',
  python: 'py pyi',
  rust: 'rs',
  // The others have the same comments, texts and numbers, and most of the words; a grammar of their own would cost more than it shows.
  typescript:
    'ts tsx mts cts js jsx mjs cjs c h cc cpp cxx hpp hh m java kt kts scala groovy gradle cs dart swift php',
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
