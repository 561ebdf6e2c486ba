/**
 * `*` and `?` within one component, `**` across them. A pattern without a slash matches a name at any depth, as in a `.gitignore`;
 * with one, it is read from the root. Whatever matches a folder matches what is in it.
 */
export function globMatcher(pattern: string): (path: string) => boolean {
  const rooted = spelled(pattern);
  const source = sourceOf(rooted.replace(/^\*\*\//, '').replace(/^\//, ''));
  const regex = new RegExp(`^${isAnywhere(rooted) ? '(?:.*/)?' : ''}${source}(?:/.*)?$`, 's');
  return (path) => regex.test(path);
}

/** Whether something inside a folder could match, whatever lies there. */
export function globReaches(pattern: string): (folder: string) => boolean {
  const rooted = spelled(pattern);
  if (isAnywhere(rooted)) return () => true;
  const steps = rooted.replace(/^\//, '').split('/');
  return (folder) => {
    for (const [i, name] of folder.split('/').entries()) {
      const step = steps[i];
      if (step === undefined || step.includes('**')) return true;
      if (!new RegExp(`^${sourceOf(step)}$`, 's').test(name)) return false;
    }
    return true;
  };
}

function spelled(pattern: string): string {
  return pattern
    .replace(/^(?:\.\/+)+/, '')
    .replace(/\/{2,}/g, '/')
    .replace(/\/+$/, '');
}

function isAnywhere(rooted: string): boolean {
  return !rooted.includes('/') || rooted.startsWith('**/');
}

function sourceOf(glob: string): string {
  return glob
    .split(/(\*\*\/|\*\*|\*|\?)/)
    .map((part) => {
      if (part === '**/') return '(?:.*/)?';
      if (part === '**') return '.*';
      if (part === '*') return '[^/]*';
      if (part === '?') return '[^/]';
      return part.replace(/[.+^${}()|[\]\\]/g, String.raw`\$&`);
    })
    .join('');
}
