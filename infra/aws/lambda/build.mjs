// Bundles the router into one file with everything that it needs, and packs it: router.zip is what Terraform uploads.
import { deflateRawSync, crc32 } from 'node:zlib';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const root = join(import.meta.dirname, '../../..');
const dist = join(import.meta.dirname, 'dist');
rmSync(dist, { recursive: true, force: true });
// Lambda gives credentials by the environment: profiles, SSO and the rest are a quarter of the file.
const credentials = {
  name: 'credentials-of-lambda',
  load: {
    filter: { id: /credential-provider-node[\\/]dist-(?:es|cjs)[\\/]index\.js$/ },
    handler: () =>
      "import { fromEnv } from '@aws-sdk/credential-provider-env'; export const defaultProvider = () => fromEnv();",
  },
};
const built = await rolldown({
  cwd: root,
  input: { index: 'src/router/handler.ts' },
  platform: 'node',
  external: [/^node:/],
  treeshake: true,
  plugins: [credentials],
});
await built.write({
  dir: dist,
  format: 'esm',
  entryFileNames: '[name].mjs',
  codeSplitting: false,
  minify: { compress: true, mangle: true, codegen: { removeWhitespace: true } },
});
await built.close();

/** A ZIP of one file, the same bytes whenever the file is the same: without a time. */
function zipped(name, bytes) {
  const packed = deflateRawSync(bytes, { level: 9 });
  const title = Buffer.from(name);
  const common = Buffer.alloc(26);
  common.writeUInt16LE(20, 0);
  common.writeUInt16LE(8, 4);
  common.writeUInt16LE(0x21, 8);
  common.writeUInt32LE(crc32(bytes), 10);
  common.writeUInt32LE(packed.length, 14);
  common.writeUInt32LE(bytes.length, 18);
  common.writeUInt16LE(title.length, 22);
  const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), common, title, packed]);
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(0o100644 * 0x1_0000, 6);
  const entry = Buffer.concat([Buffer.from('PK\u0001\u0002'), Buffer.from([20, 3]), common, rest, title]);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(1, 4);
  end.writeUInt16LE(1, 6);
  end.writeUInt32LE(entry.length, 8);
  end.writeUInt32LE(local.length, 12);
  return Buffer.concat([local, entry, Buffer.from('PK\u0005\u0006'), end]);
}

mkdirSync(dist, { recursive: true });
const file = readFileSync(join(dist, 'index.mjs'));
const zip = zipped('index.mjs', file);
writeFileSync(join(dist, 'router.zip'), zip);
process.stdout.write(`index.mjs ${file.length} bytes, router.zip ${zip.length} bytes\n`);
