import type * as Driver from 'pg';
import { StaffettaError } from '../../core/base/error.ts';

/** The driver is installed by those who use it, and loaded when it is needed. */
export async function loadDriver(): Promise<typeof Driver> {
  try {
    return await import('pg');
  } catch (cause) {
    throw new StaffettaError(
      'store-unsupported',
      'A store in PostgreSQL needs the package pg, which is not installed.',
      {
        cause,
        hint: 'Install it beside staffetta: npm install pg (with --global if staffetta was installed so).',
      },
    );
  }
}
