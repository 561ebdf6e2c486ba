/**
 * Dot-files and dot-folders of ordinary work: nothing starts because they are there. Whatever is not named here is held back at a restore,
 * for new programs that read a dot-file of their own appear faster than any list of them grows.
 *
 * Named here: what keeps files away from a tool, what formatters and linters are asked to do, the version of a language, and data. A
 * configuration that is code is taken like `eslint.config.js`: it runs when its tool is asked to. Left out on purpose: what a program reads
 * that was started for something else, what names a program to fetch or to run (`.bazelversion`, `.tool-versions`), what is run at a commit
 * (`.lintstagedrc`), and what keeps files from agents.
 *
 * A name followed by `*` stands for itself and for itself with any ending: `.eslintrc`, `.eslintrc.json`.
 */
const files = words(`
  .gitignore .gitkeep .keep .mailmap .git-blame-ignore-revs .gitmessage
  .ignore .npmignore .dockerignore .eslintignore .prettierignore .stylelintignore .markdownlintignore .helmignore .vercelignore
  .gcloudignore .slugignore .ebignore .cfignore .vscodeignore .bazelignore .dvcignore .nxignore .rgignore .fdignore .hgignore .trivyignore
  .gitleaksignore .semgrepignore .lycheeignore .clang-format-ignore .openapi-generator-ignore
  .editorconfig .prettierrc* .eslintrc* .stylelintrc* .jshintrc .jscsrc .jsbeautifyrc .markdownlint* .markdownlintrc .markdownlint-cli2*
  .remarkrc* .textlintrc* .htmlhintrc .htmlvalidate.json .sass-lint.yml .csscomb.json .csslintrc .alexrc* .cspell* .codespellrc .typos.toml
  .vale.ini .yamllint* .hadolint.yaml .hadolint.yml .shellcheckrc .oxlintrc.json .oxfmtrc.json .dprint.json .biome.json .jsonlintrc*
  .babelrc* .swcrc .browserslistrc .postcssrc* .nycrc* .c8rc* .mocharc* .size-limit* .knip.json .npmpackagejsonlintrc* .ls-lint.yml
  .flake8 .pylintrc .isort.cfg .style.yapf .yapfignore .pep8 .pycodestyle .pydocstyle .coveragerc .ruff.toml .mypy.ini .bandit .pyre_configuration
  .rubocop* .rubocop_todo.yml .rspec .yardopts .erb-lint.yml .standard.yml .reek.yml
  .rustfmt.toml .clippy.toml .golangci* .clang-format .clang-tidy .cmake-format* .cmake-lint* .astylerc .uncrustify.cfg
  .swiftlint.yml .swiftformat .swift-format .scalafmt.conf .scalafix.conf .ktlint* .php-cs-fixer* .php_cs* .phpcs.xml* .phpstan* .ocamlformat
  .perltidyrc .perlcriticrc .luacheckrc .stylua.toml .hlint.yaml .stylish-haskell.yaml .fourmolu.yaml .JuliaFormatter.toml .lintr .tflint.hcl
  .terraform-docs.yml .terraform.lock.hcl .sqlfluff .gitleaks.toml .secrets.baseline .editorconfig-checker.json .ecrc
  .nvmrc .node-version .python-version .ruby-version .java-version .go-version .php-version .swift-version .terraform-version .fvmrc
  .env.example .env.sample .env.template .env.dist
  .codecov.yml .coveralls.yml .all-contributorsrc .zenodo.json .nojekyll .metadata .watchmanconfig .buildinfo
`);

const folders = words('.github .changeset .storybook .vitepress .vuepress .well-known .sqlx');

/** Where package managers lay out what they installed, for programs that are asked for. */
const installed = words('.bin .pnpm .store');

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().toLowerCase().split(/\s+/));
}

/** Whether a path, folded, has a dot-name in it that is not known to be ordinary. */
export function hasStrangeDot(folded: string): boolean {
  const names = folded.split('/');
  return names.some((name, i) => {
    if (!name.startsWith('.')) return false;
    if (folders.has(name)) return false;
    if (names[i - 1] === 'node_modules' && installed.has(name)) return false;
    return i < names.length - 1 || !isOrdinaryFile(name);
  });
}

function isOrdinaryFile(name: string): boolean {
  if (files.has(name) || files.has(`${name}*`)) return true;
  for (let at = name.indexOf('.', 1); at !== -1; at = name.indexOf('.', at + 1))
    if (files.has(`${name.slice(0, at)}*`)) return true;
  return false;
}
