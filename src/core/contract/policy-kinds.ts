/** Kinds of changes that a contract may leave to a person alone. No schema: help lists them too. */
export const policyKinds = [
  'added',
  'deleted',
  'renamed',
  'binary',
  'executable',
  'link',
  'submodule',
] as const;

export type PolicyKind = (typeof policyKinds)[number];
