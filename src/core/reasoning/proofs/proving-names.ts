/** What the names of scripts, targets and options say of what they do. */

/** A script or a target that proves something says so. */
const proving = new Set(
  `test tests tested testing spec specs check checks checked lint linter linting typecheck typechecks tsc types typing validate
  verify e2e unit integration smoke selftest build builds compile assemble eslint vitest jest pytest mypy ruff coverage cov
  all-tests runtests`.split(/\s+/),
);
/** Whatever else it says, it changes something, needs somebody, or does not end. */
const changing = new Set(
  `fix fixes fixed autofix write update updates u upgrade clean cleanup clear reset drop delete remove rm purge wipe destroy
  truncate deploy deployment publish release push upload migrate seed install uninstall setup teardown init create start stop
  restart serve watch dev commit bump notarize record bless accept approve regen regenerate generate restore sync prune kill down up
  apply rollback revert rebase stash send notify provision rotate load populate backup promote overwrite`.split(
    /\s+/,
  ),
);

function nameWords(name: string): string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');
}

/** By its name it proves something and changes nothing. */
export function saysProof(name: string): boolean {
  const words = nameWords(name);
  return words.some((word) => proving.has(word)) && !saysChange(name);
}

export function saysChange(name: string): boolean {
  return nameWords(name).some((word) => changing.has(word));
}

/** Options by which programs that only look change files after all, or never end, whichever program it is. */
const changingOption =
  /^--?(?:fix|write|update|rewrite|overwrite|record|regen|generate|watch|auto-?(?:fix|correct|promote)|snapshot-update|inline-snapshot|in-?place|unsafe-fix|publish|push|upload|deploy|apply|delete|remove|destroy|install|uninstall|init|clear-?cache|force-regen|force-exec|bless|accept|promote|exec|toolexec|save|add-noqa|add-ignore|suppress|set-baseline|alter|pre|scan|ui|open|serve|debugger|inspect)(?:[-A-Z][\w-]*)?(?:=(?!false$|no$|0$|off$).*)?$/;

export function isChangingOption(option: string): boolean {
  return changingOption.test(option);
}

/** Variables that make tests write what they expect. */
export function isChangingVariable(assignment: string): boolean {
  const [name = '', value = ''] = assignment.split('=', 2);
  if (/^(?:LD_PRELOAD|DYLD_\w+|BASH_ENV|IFS|GIT_\w+)$/.test(name)) return true;
  return (
    /UPDATE|OVERWRITE|REGEN|BLESS|RECORD|REWRITE|(?:^|_)FIX(?:$|_)|(?:^|_)WRITE(?:$|_)/i.test(name) &&
    !/^(?:0|no|none|false|off|)$/i.test(value)
  );
}

/** Where output goes, and where a program goes to: `-o dist/x`, `--prefix=web`, `-C api`. */
const placing =
  /^(?:-C|-o|--?(?:out(?:put|file|dir|-dir|-file)?|outDir|outFile|outputFile|output-(?:file|dir|path)|prefix|dir|cwd|directory|target-dir|basetemp|build-dir|test-dir|rootdir|manifest-path|project|log-file|report-file|junitxml|cache-dir|cache-location|coverageDirectory|coverage-dir|declarationDir|tsBuildInfoFile|basedir|root))(?:=(.*))?$/;

/** The places that options name. */
export function placesIn(args: readonly string[]): string[] {
  return args.flatMap((arg, i) => {
    const found = placing.exec(arg);
    if (found === null) return [];
    return [found[1] ?? args[i + 1] ?? ''];
  });
}

/** In the workspace, which is the folder of the session; or where what is written is thrown away. */
export function isWithin(path: string, folder: string | null): boolean {
  if (path === '/dev/null' || path === 'none' || path === '-') return true;
  const base = folder === null ? null : folder.replace(/\/+$/, '');
  const isAbsolute = /^(?:[/\\~]|[A-Za-z]:)/.test(path);
  if (isAbsolute && (base === null || base === '' || (path !== base && !path.startsWith(`${base}/`))))
    return false;
  let depth = 0;
  for (const part of (isAbsolute ? path.slice((base ?? '').length) : path).split(/[/\\]/)) {
    if (part === '..') depth -= 1;
    else if (part !== '' && part !== '.') depth += 1;
    if (depth < 0) return false;
  }
  return true;
}
