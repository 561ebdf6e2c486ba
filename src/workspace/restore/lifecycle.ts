/**
 * Package manifests change in ordinary work, and most of what they hold waits to be asked. The exceptions run unasked: scripts of
 * an install, commands of git hooks, and a package manager fetched from an address. A manifest that brings or changes one of
 * those is held back.
 */
const installScripts = new Set([
  'preinstall',
  'install',
  'postinstall',
  'prepublish',
  'preprepare',
  'prepare',
  'postprepare',
  'dependencies',
]);
const hookSettings = ['husky', 'lint-staged', 'simple-git-hooks', 'gitHooks', 'ghooks', 'pre-commit'];

export const lifecycleReason = 'adds or changes a command that a package install or a commit runs by itself';

export function isPackageManifest(path: string): boolean {
  return /(?:^|\/)(?:package|composer)\.json$/i.test(path);
}

/** Whether something would run afterwards that did not before. What cannot be read as JSON runs nothing. */
export function bringsLifecycle(path: string, before: Uint8Array | undefined, after: Uint8Array): boolean {
  const composer = /composer\.json$/i.test(path);
  const known = commandsOf(before, composer);
  return [...commandsOf(after, composer)].some(([name, command]) => known.get(name) !== command);
}

function commandsOf(bytes: Uint8Array | undefined, composer: boolean): Map<string, string> {
  const manifest = readManifest(bytes);
  const commands = new Map<string, string>();
  const scripts = manifest['scripts'];
  for (const [name, script] of Object.entries(typeof scripts === 'object' && scripts !== null ? scripts : {}))
    if (composer ? /^(?:pre|post)-/.test(name) : installScripts.has(name))
      commands.set(`scripts.${name}`, JSON.stringify(script));
  for (const name of hookSettings)
    if (manifest[name] !== undefined) commands.set(name, JSON.stringify(manifest[name]));
  const manager = manifest['packageManager'];
  if (typeof manager === 'string' && manager.includes(':')) commands.set('packageManager', manager);
  return commands;
}

function readManifest(bytes: Uint8Array | undefined): Readonly<Record<string, unknown>> {
  if (bytes === undefined) return {};
  try {
    // Package managers overlook a byte order mark.
    const manifest: unknown = JSON.parse(
      Buffer.from(bytes)
        .toString('utf8')
        .replace(/^\ufeff/, ''),
    );
    return typeof manifest === 'object' && manifest !== null ? (manifest as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
