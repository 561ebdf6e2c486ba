import { isStaffettaError } from '../../../core/base/error.ts';
import { timeText } from '../../../core/task/lease.ts';
import type { Versions } from '../../../compose/fit-node.ts';
import type { Context } from '../../../handoff/record/context.ts';
import { formatBytes } from '../../frame/bytes.ts';
import { formatDuration } from '../../frame/duration.ts';
import { longRun } from '../../frame/long-run.ts';
import type { Session } from '../../call/session.ts';
import type { Invocation } from '../../frame/spec.ts';
import { version } from '../../frame/version.ts';
import { counted } from '../../pages/words.ts';
import { gitFinding } from './doctor-git.ts';
import { exitFor, findingWords, leftOut, tried, wrongBy, type DoctorFinding } from './doctor-finding.ts';
import { diskFinding, permissionFinding, doctorPlaceOf, type DoctorPlace } from './doctor-place.ts';
import { contractFinding, proveContract } from './doctor-proof.ts';

type StoreFacts = Awaited<ReturnType<Context['store']['upkeep']['facts']>>;

const clockAheadMsMax = 2000;

/** Every link, checked where the work is or would be kept: what was looked at, what is wrong, and what to do. */
export async function run(_: Invocation, session: Session): Promise<number> {
  const { versionsHere } = await import('../../../compose/fit-node.ts');
  const node = await nodeFinding(versionsHere());
  const { place, findings: found } = await examine(session, node.status === 'ok');
  const { agentFindings } = await import('./doctor-agents.ts');
  const { gitHere } = await import('../../../compose/git-here.ts');
  const git = gitFinding(await gitHere(process.cwd(), session.env));
  const findings = [node, git, ...found, ...(await agentFindings(session))];
  const wrong = findings.filter(({ status }) => status === 'wrong').length;
  const data = {
    ok: wrong === 0,
    version,
    platform: `${process.platform}-${process.arch}`,
    store: place?.store.shown ?? null,
    provenIn: place !== undefined && findings.some(isProof) ? whereProven(place) : null,
    findings: findings.map((finding) => ({ ...finding, ok: finding.status === 'ok' })),
  };
  session.output.data(data, () =>
    findings.map((each) => findingWords(each, session.output.paint)).join('\n'),
  );
  session.output.say(wrong === 0 ? 'Nothing is wrong.' : `${counted(wrong, 'check')} failed.`);
  return exitFor(findings);
}

export async function nodeFinding(versions: Versions): Promise<DoctorFinding> {
  const { opensEveryStore } = await import('../../../compose/fit-node.ts');
  const text = `Node ${versions.node}, SQLite ${versions.sqlite}; this is staffetta ${version} on ${process.platform}-${process.arch}`;
  try {
    const limits = opensEveryStore(versions)
      ? ''
      : '. This SQLite is too old for a write-ahead log: a new store gets a rollback journal, and stores with a log are refused';
    return { check: 'node', status: 'ok', text: `${text}${limits}` };
  } catch (error) {
    if (isStaffettaError(error)) return wrongBy('node', error);
    throw error;
  }
}

/** Kept or broken: either way the cases were tried. One that could not begin has a code. */
function isProof({ check, status, code }: DoctorFinding): boolean {
  return check === 'contract' && status !== 'untried' && code === undefined;
}

interface Examined {
  readonly place: DoctorPlace | undefined;
  readonly findings: readonly DoctorFinding[];
}

async function examine(session: Session, fit: boolean): Promise<Examined> {
  let place: DoctorPlace;
  try {
    place = doctorPlaceOf(session);
  } catch (error) {
    if (!isStaffettaError(error)) throw error;
    return { place: undefined, findings: [wrongBy('store', error), untried('there is no place to prove')] };
  }
  if (!fit) return { place, findings: [...surroundings(place), untried('this Node will not do')] };
  const findings = [...(await storeFindings(place, session)), ...surroundings(place)];
  return { place, findings: [...findings, ...(await proof(place, session, findings))] };
}

function untried(why: string): DoctorFinding {
  return { check: 'contract', status: 'untried', text: `not tried: ${why}` };
}

async function storeFindings(place: DoctorPlace, session: Session): Promise<DoctorFinding[]> {
  const { home, stats, folder, because } = place;
  const path = place.store.shown;
  if (stats === undefined && home?.file !== undefined) {
    const nearest = folder === home.folder ? '' : `; the nearest folder there is: ${folder}`;
    const text = `none yet; the first task creates it at ${path} (${because})${nearest}`;
    return [{ check: 'store', status: 'ok', text }];
  }
  return await tried('store', path, async () => {
    const context = await session.context().catch((error: unknown) => {
      if (home?.file !== undefined || !isStaffettaError(error, 'store-missing')) throw error;
    });
    if (context === undefined)
      return [
        { check: 'store', status: 'ok', text: `none yet; the first task creates it at ${path} (${because})` },
      ];
    const facts = await context.store.upkeep.facts();
    const isQuick = session.values['quick'] === true;
    const faults = isQuick
      ? []
      : await longRun(session, 'checking', async ({ store }) => await store.upkeep.check());
    const number = (name: string): number => Number(facts[name] ?? 0);
    const journal = facts['journal'] === 'rollback' ? ', with a rollback journal' : '';
    // Where counting would be paid for, nothing is counted.
    const holds =
      facts['tasks'] === undefined
        ? ''
        : `: ${counted(number('tasks'), 'task')}, ${counted(number('entries'), 'entry', 'entries')}, ${formatBytes(number('bytes'))}${journal}`;
    return [
      { check: 'store', status: 'ok', text: `${path} (${because})${holds}` },
      faults.length === 0
        ? {
            check: 'storage',
            ...(isQuick
              ? { status: 'untried', text: 'not read: left out by --quick' }
              : { status: 'ok', text: 'pages and rows are sound' }),
          }
        : {
            check: 'storage',
            status: 'wrong',
            code: 'corrupt',
            text: faults.map((fault) => fault.text).join(' '),
            fix: 'See which tasks are concerned: staffetta verify. Then restore a backup.',
          },
      await leaseFinding(context),
      ...serverFindings(facts),
    ];
  });
}

/** Of a store that another machine keeps. Leases go by the clock of each machine that works with it. */
function serverFindings(facts: StoreFacts): DoctorFinding[] {
  const { server, mayWrite, clockAheadMs, rings, unheard } = facts;
  return [
    ...(server === undefined ? [] : databaseFindings(facts)),
    ...(mayWrite === undefined ? [] : [roleFinding(mayWrite === true)]),
    ...(clockAheadMs === undefined ? [] : [clockFinding(Number(clockAheadMs))]),
    ...(rings === undefined && unheard === undefined ? [] : [bellFinding(facts)]),
  ];
}

function databaseFindings({ server, user, role, logins, fsync }: StoreFacts): DoctorFinding[] {
  return [
    fsync === true
      ? { check: 'server', status: 'ok', text: `version ${server}` }
      : {
          check: 'server',
          status: 'wrong',
          text: `version ${server} loses what it has acknowledged when its machine fails: fsync is off.`,
          fix: 'Turn fsync on in the configuration of the server.',
        },
    {
      check: 'logins',
      status: 'ok',
      text: `${user} ${role}; ${logins === undefined ? 'no other login was admitted' : `admitted: ${logins}`}`,
    },
  ];
}

function roleFinding(mayWrite: boolean): DoctorFinding {
  const text = mayWrite
    ? 'it may read and write'
    : 'it may only read: nothing can be opened, taken or changed with it';
  return { check: 'role', status: 'ok', text };
}

function clockFinding(ahead: number): DoctorFinding {
  const words = `${formatDuration(Math.abs(ahead))} ${ahead < 0 ? 'behind' : 'ahead of'} this machine's`;
  if (Math.abs(ahead) <= clockAheadMsMax)
    return { check: 'clock', status: 'ok', text: `the clock of the server is ${words}` };
  return {
    check: 'clock',
    status: 'wrong',
    text: `The clock of the server is ${words}: leases would end too early or too late.`,
    fix: 'Let both machines take their time from the same source (NTP).',
  };
}

function bellFinding({ rings, unheard }: StoreFacts): DoctorFinding {
  if (unheard === undefined)
    return {
      check: 'bell',
      status: 'ok',
      text: `the queues answer; ${counted(Number(rings), 'ring')} on the way`,
    };
  return {
    check: 'bell',
    status: 'wrong',
    text: `Nobody is woken, and workers look once a minute: ${unheard}.`,
    fix: 'Give the store the address that infra/aws prints (terraform output -raw store), and the role its agent policy.',
  };
}

async function leaseFinding(context: Context): Promise<DoctorFinding> {
  const { leasesFarAhead } = await import('../../../handoff/verbs/recover.ts');
  const found: string[] = [];
  for await (const { task, leaseUntil } of leasesFarAhead(context))
    found.push(`${task} until ${timeText(leaseUntil)}`);
  if (found.length === 0)
    return { check: 'leases', status: 'ok', text: 'none is further ahead than a lease may be' };
  return {
    check: 'leases',
    status: 'wrong',
    text: `further ahead than a lease may be: ${found.join(', ')}`,
    fix: 'Check the time of this machine, then run: staffetta recover',
  };
}

function surroundings(place: DoctorPlace): DoctorFinding[] {
  if (place.home === undefined || place.stats?.isDirectory() === true) return [];
  return [permissionFinding(place), diskFinding(place)];
}

function whereProven({ home, store, folder }: DoctorPlace): string {
  if (home === undefined) return 'memory';
  return home.file === undefined ? store.shown : folder;
}

async function proof(
  place: DoctorPlace,
  session: Session,
  before: readonly DoctorFinding[],
): Promise<DoctorFinding[]> {
  const why = leftOut(session);
  if (why !== undefined) return [untried(why)];
  if (place.stats?.isDirectory() === true) return [untried('the store is not a file')];
  if (before.some(({ check, code }) => check === 'permissions' && code === 'store-readonly'))
    return [untried(`${place.folder} cannot be written`)];
  if (
    before.some(
      ({ check, code }) => check === 'store' && code !== undefined && place.home?.file === undefined,
    )
  )
    return [untried('the store cannot be opened')];
  const where = whereProven(place);
  return await tried('contract', where, async () => {
    const report = await proveContract(place, session, where);
    return [
      isStaffettaError(report)
        ? untried(`no scratch store may be made by whom you are here. ${report.message}`)
        : contractFinding(report, where),
    ];
  });
}
