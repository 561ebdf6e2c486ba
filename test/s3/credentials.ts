import { afterAll, beforeAll } from 'vitest';

/** Any will do for a server on this machine; those of the user are not asked for. */
export const credentials = {
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  AWS_EC2_METADATA_DISABLED: 'true',
} as const;

export function withCredentials(): void {
  const before = new Map(Object.keys(credentials).map((name) => [name, process.env[name]]));
  beforeAll(() => void Object.assign(process.env, credentials));
  afterAll(() => {
    for (const [name, value] of before)
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
  });
}
