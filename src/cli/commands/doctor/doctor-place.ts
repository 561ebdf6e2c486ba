/** Where a store is or would be, looked at without changing anything. */
import { accessSync, constants, statfsSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import type { Home } from '../../../home/home.ts';
import { diskReason, lookAt } from '../../../home/look-at.ts';
import type { StoreAddress } from '../../../ports/store-address.ts';
import { whyForeignFile } from '../../../home/foreign-store.ts';
import { StaffettaError } from '../../../core/base/error.ts';
import { formatBytes } from '../../frame/bytes.ts';
import type { Session } from '../../call/session.ts';
import { text } from '../../frame/values.ts';
import type { DoctorFinding } from './doctor-finding.ts';

export interface DoctorPlace {
  readonly store: StoreAddress;
  readonly home: Home | undefined;
  /** The home or, where a first task would make that one, the nearest folder there is. */
  readonly folder: string;
  /** Of the store's file; undefined if there is none. */
  readonly stats: Stats | undefined;
  readonly because: string;
}

/** Throws where there is no place to look at: what somebody named by mistake must not be answered with another place. */
export function doctorPlaceOf(session: Session): DoctorPlace {
  const { store, home } = session;
  const named = nameOf(session);
  const because = named === undefined ? session.located.because : `named by ${named}`;
  const place = { store, home, stats: undefined, because };
  if (home === undefined) return { ...place, folder: store.shown };
  const { file, folder } = home;
  if (file === undefined) return { ...place, folder: nearestFolder(folder) };
  const stats = lookAt(file);
  if (stats?.isDirectory() === true) return { ...place, folder: file, stats };
  if (named === undefined) return { ...place, folder: nearestFolder(folder), stats };
  if (lookAt(folder) === undefined) {
    throw new StaffettaError('store-missing', `There is no folder ${folder} (${because}).`, {
      details: { path: file },
      hint: 'Check the path. If it is right, create the folder, then ask again.',
    });
  }
  return { ...place, folder, stats };
}

function nameOf({ values, env }: Session): string | undefined {
  if (text(values, 'store') !== undefined) return '--store';
  return env['STAFFETTA_STORE'] ? 'STAFFETTA_STORE' : undefined;
}

function nearestFolder(path: string): string {
  return lookAt(path)?.isDirectory() === true || dirname(path) === path ? path : nearestFolder(dirname(path));
}

/** Whether this user may write here, and nobody else may read. */
export function permissionFinding({ home, folder, stats }: DoctorPlace): DoctorFinding {
  const check = 'permissions';
  const file = stats === undefined ? undefined : home?.file;
  const foreign = whyForeignFile(file);
  if (foreign !== null)
    return {
      check,
      status: 'wrong',
      text: `This store is used only where somebody names it: ${foreign}.`,
      fix: 'If it is yours, take it out of git (git rm --cached -r .staffetta) or change its owner. If not, leave it alone, or name a store of your own: STAFFETTA_STORE.',
    };
  for (const each of file === undefined ? [folder] : [file, folder]) {
    try {
      accessSync(each, each === folder ? constants.W_OK | constants.X_OK : constants.R_OK | constants.W_OK);
    } catch (error) {
      return {
        check,
        status: 'wrong',
        code: 'store-readonly',
        text: `${each} cannot be written: ${diskReason(error)}.`,
        fix: 'Give this user write permission there, or choose another store with --store.',
      };
    }
  }
  const mode = (stats?.mode ?? 0) & 0o777;
  if (process.platform === 'win32' || (mode & 0o077) === 0)
    return {
      check,
      status: 'ok',
      text: stats === undefined ? `${folder} can be written` : 'only you can read it',
    };
  return {
    check,
    status: 'wrong',
    text: `Others may read or write ${file ?? folder} (mode ${mode.toString(8)}).`,
    fix: 'Take their permission away: chmod 600 on that file.',
  };
}

/** A write-ahead log needs shared memory between its writers, which these cannot give. As statfs numbers them on Linux. */
const networkDisks: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0xff534d42, 'CIFS'],
]);

/** Enough for the log to grow to its usual size a few times over. */
const roomBytesMin = 32 * 1024 * 1024;

export function diskFinding({ folder }: DoctorPlace): DoctorFinding {
  const { bavail, bsize, type } = statfsSync(folder);
  return diskWords(folder, { free: bavail * bsize, type, platform: process.platform });
}

export function diskWords(
  folder: string,
  disk: { readonly free: number; readonly type: number; readonly platform: string },
): DoctorFinding {
  const check = 'disk';
  const network = disk.platform === 'linux' ? networkDisks.get(disk.type) : undefined;
  if (network !== undefined) {
    return {
      check,
      status: 'wrong',
      code: 'store-unsupported',
      text: `${folder} is on a network file system (${network}).`,
      fix: 'Put the store on a local disk with --store: machines cannot share it safely.',
    };
  }
  const room = `${formatBytes(disk.free)} free at ${folder}`;
  if (disk.free >= roomBytesMin) return { check, status: 'ok', text: room };
  return {
    check,
    status: 'wrong',
    code: 'store-full',
    text: `Only ${room}.`,
    fix: 'Free some space, or choose another store with --store.',
  };
}
