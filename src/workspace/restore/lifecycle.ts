/**
 * Package manifests change in ordinary work, and most of what they hold waits to be asked. The exceptions run unasked: scripts of
 * an install, commands of git hooks, and a package manager fetched from an address. A manifest that brings or changes one of
 * those is held back, and so is one that cannot be read: some package managers take comments, and whatever else JSON does not.
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
  'pnpm:devPreinstall',
]);
/** Composer's `command` and `init` come before whatever else it is asked for. */
const composerScript = /^(?:(?:pre|post)-|command$|init$)/;
const hookSettings = [
  'husky',
  'lint-staged',
  'nano-staged',
  'simple-git-hooks',
  'gitHooks',
  'ghooks',
  'pre-commit',
  'pre-push',
];

export const lifecycleReason =
  'adds or changes a command that a package install or a commit runs by itself, or cannot be read';

export function isPackageManifest(path: string): boolean {
  return /(?:^|\/)(?:package|composer)\.json$/i.test(path);
}

/** Whether something would run afterwards that did not before. */
export function bringsLifecycle(path: string, before: Uint8Array | undefined, after: Uint8Array): boolean {
  if (before !== undefined && Buffer.compare(before, after) === 0) return false;
  const composer = /composer\.json$/i.test(path);
  const known = commandsOf(before ?? new Uint8Array(), composer);
  const commands = commandsOf(after, composer);
  if (commands === undefined) return true;
  return [...commands].some(([name, command]) => known?.get(name) !== command);
}

/** Undefined if it cannot be read. */
function commandsOf(bytes: Uint8Array, composer: boolean): Map<string, string> | undefined {
  const manifest = readManifest(bytes);
  if (manifest === undefined) return undefined;
  const commands = new Map<string, string>();
  const scripts = manifest['scripts'];
  for (const [name, script] of Object.entries(typeof scripts === 'object' && scripts !== null ? scripts : {}))
    if (composer ? composerScript.test(name) : installScripts.has(name))
      commands.set(`scripts.${name}`, JSON.stringify(script));
  for (const name of hookSettings)
    if (manifest[name] !== undefined) commands.set(name, JSON.stringify(manifest[name]));
  const manager = manifest['packageManager'];
  if (typeof manager === 'string' && manager.includes(':')) commands.set('packageManager', manager);
  return commands;
}

function readManifest(bytes: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  try {
    // Package managers overlook a byte order mark.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const manifest: unknown = JSON.parse(text);
    return typeof manifest === 'object' && manifest !== null ? (manifest as Record<string, unknown>) : {};
  } catch {
    return undefined;
  }
}
