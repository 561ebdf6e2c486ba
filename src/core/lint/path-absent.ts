import type { Hit } from './finding.ts';
import { claimsOf } from './claims.ts';
import type { Rule } from './rule.ts';
import type { Subject } from './subject.ts';

/** A file name with a folder or an ending, standing alone or in code marks. Addresses and ranges of versions do not count. */
const named =
  /(?<![\w:/@.-])(?:\.\/)?((?:[\w@-][\w@.-]*\/)+[\w@-][\w@.-]*\.[A-Za-z]\w{0,7}|[\w@-]+\.(?:[cm]?[jt]sx?|py|rs|go|java|rb|md|json|ya?ml|toml|sql|sh|html|css))(?::\d+)?(?![\w/-])/g;

/** Products that are written like a file. */
const products: ReadonlySet<string> = new Set(
  'alpine angular backbone bun chart d3 deno discord electron ember express fastify handlebars hapi knockout koa matter moment mustache nest next node nuxt p5 pixi preact react require solid svelte three vue'
    .split(' ')
    .map((name) => `${name}.js`),
);

export const pathAbsent: Rule = {
  id: 'path-absent',
  title: 'Every file the packet names exists',
  about: 'facts',
  weight: { strict: 'error' },
  check(subject) {
    const artefacts = subject.packet.artefacts.flatMap(({ path }, i) =>
      absent(subject, path, `artefacts[${i}].path`),
    );
    const mentioned = claimsOf(subject.packet)
      .filter(
        ({ path }) => path === 'claims.summary' || path.startsWith('claims.done') || path === 'claims.next',
      )
      .flatMap((claim) =>
        [...claim.text.matchAll(named)].flatMap((match) => {
          const path = match[1] ?? '';
          if (products.has(path.toLowerCase())) return [];
          const sure = path.includes('/') || claim.text[match.index - 1] === '`';
          // A name in passing may be of a file elsewhere: in a bucket, in a browser, in another project.
          return absent(subject, path, claim.path, claim.text).map((hit): Hit =>
            sure ? hit : { ...hit, atMost: 'warning' },
          );
        }),
      );
    return [...artefacts, ...mentioned];
  },
};

/** A file that is said to be gone, or yet to be made, need not be there. */
const goneOrComing =
  /\b(?:delet|remov|renam|drop|mov|creat|add|writ|new|introduc|generat|split|extract|cop(?:y|ies|ied)|rid of|no longer)\w*/i;

function absent(subject: Subject, path: string, at: string, text = ''): Hit[] {
  if (path === '' || subject.exists(path) !== false || goneOrComing.test(text)) return [];
  if (
    subject.sealedTree?.changes.some((change) => change.path === path && change.status === 'deleted') === true
  )
    return [];
  return [
    {
      path: at,
      text: `${path} does not exist in the workspace.`,
      fix: 'Correct the path, or take the claim out.',
    },
  ];
}
