/** What fits the words that were typed, wherever they stand in a title: those that begin with them first, else in the given order. */
export function found<T extends { readonly title: string; readonly key: string }>(
  all: readonly T[],
  typed: string,
): readonly T[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const [first = ''] = words;
  const fits = all.filter(({ title, key }) => {
    const text = `${title}\n${key}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const rank = ({ title }: T): number => (title.toLowerCase().startsWith(first) ? 0 : 1);
  return first === '' ? fits : fits.toSorted((a, b) => rank(a) - rank(b));
}
