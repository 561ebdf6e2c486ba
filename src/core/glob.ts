/**
 * `*` and `?` within one component, `**` across them. A pattern without a slash matches a name at any depth, as in a `.gitignore`;
 * with one, it is read from the root. Whatever matches a folder matches what is in it.
 */
export function globMatcher(pattern: string): (path: string) => boolean {
  const rooted = pattern
    .replace(/^(?:\.\/+)+/, '')
    .replace(/\/{2,}/g, '/')
    .replace(/\/+$/, '');
  const anywhere = !rooted.includes('/') || rooted.startsWith('**/');
  const source = rooted
    .replace(/^\*\*\//, '')
    .replace(/^\//, '')
    .split(/(\*\*\/|\*\*|\*|\?)/)
    .map((part) => {
      if (part === '**/') return '(?:.*/)?';
      if (part === '**') return '.*';
      if (part === '*') return '[^/]*';
      if (part === '?') return '[^/]';
      return part.replace(/[.+^${}()|[\]\\]/g, String.raw`\$&`);
    })
    .join('');
  const regex = new RegExp(`^${anywhere ? '(?:.*/)?' : ''}${source}(?:/.*)?$`, 's');
  return (path) => regex.test(path);
}
