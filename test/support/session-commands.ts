/** Commands of sessions: which may stand in a contract as what has to pass, and which must not. */

/** One command a line. */
function lines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** They change something outside build output, run what is not known, or prove nothing. */
export const changing = lines(String.raw`
  rm -rf build
  git push origin build
  git checkout build
  git clean -fdx test
  git reset --hard && npm test
  git push && npm test
  kubectl delete -f test.yaml
  terraform destroy -target=module.test
  psql -c 'drop table test'
  dropdb test
  npm publish --tag test
  cargo publish check
  docker compose down -v build
  curl -X DELETE https://api.x/test
  git commit -m 'fix test'
  rm test.db
  git push --force origin main
  rm -rf data
  kubectl delete ns prod
  terraform apply -auto-approve
  npm version major
  shutdown -r now
  sed -i s/5/50/ test/upload.test.js
  mv src/test.js src/test.bak
  git stash drop && npm run build
  npm test; rm -rf build
  npm test | xargs rm
  npm test && git push
  npm test > test/expected.txt
  npm test >> log
  npm test & rm -rf build
  npm test || git checkout .
  npm test $(rm -rf build)
  npm test "$(git push)"
  npm test ${'`rm -rf build`'}
  npm test <(rm x)
  $CMD test
  npm test $ARGS
  { rm -rf build; } && npm test
  f() { rm x; }; npm test
  bash -c "rm -rf build && npm test"
  sh -c 'npm test; git push'
  sudo make test
  sudo npm test
  eval "npm test"
  xargs npm test
  find . -name '*.test' -delete
  find test -exec rm {} +
  npm run test:clean
  npm run test:update
  npm run lint:fix
  npm run lint -- --fix
  npm run build:deploy
  npm run deploy:test
  npm test -- -u
  npm test -- --updateSnapshot
  npm install test
  npm ci && npm test
  npm unpublish test
  npx --yes some-tool test
  npx degit user/test
  yarn add test
  yarn publish test
  yarn workspace web publish
  yarn test -u
  pnpm deploy test
  pnpm --filter web run release
  bun add test
  bun run clean:build
  jest -u
  jest --updateSnapshot
  vitest run --update
  vitest --watch
  vitest watch
  eslint --fix src
  eslint . --fix-type problem
  ruff check --fix .
  ruff format .
  black src
  black --check src && black src
  isort .
  prettier --write test
  prettier src/test.ts
  gofmt -w check.go
  go run ./cmd/test
  go test -exec ./run.sh ./...
  go generate ./test
  go build -o /usr/local/bin/check ./...
  go test ./... -update
  cargo clean test
  cargo clippy --fix
  cargo fmt
  cargo run --bin check
  cargo install check
  make clean test
  make install
  make test deploy
  make
  make -C ../other test
  just test-reset
  mvn clean install
  mvn deploy
  mvn test deploy
  sbt test publish
  gradle publish
  ./gradlew clean build
  ./gradlew cleanTest test
  dotnet publish test
  mix ecto.drop test
  MIX_ENV=test mix ecto.reset
  rails db:drop db:create test
  rake db:drop test
  python manage.py flush test
  python manage.py migrate test
  python -c "import test"
  python -m http.server test
  node -e "require('fs').rmSync('test')"
  node --eval "test" check.mjs
  node -r ./wipe.js -e test
  node scripts/reset-test-db.mjs
  node scripts/seed.test.mjs
  node fix.mjs
  node import.mjs
  bash scripts/clean-build.sh
  ./deploy.sh test
  ./scripts/publish-build.sh
  ../other/test.sh
  ./build.sh deploy
  node scripts/build.mjs publish
  eslint {--fix,src}
  /opt/tools/test.sh
  ~/bin/check
  cd / && make test
  cd .. && npm test
  cd ~/other && npm test
  cd $HOME/other && npm test
  cd /home/dev/project-two && npm test
  cd /home/dev/project/../two && npm test
  terraform plan
  terraform fmt test
  helm install test ./chart
  helm test release
  ansible-playbook test.yml
  docker build -t test .
  docker run --rm test
  docker system prune -f && make build
  kubectl apply -f build/
  gh pr merge test
  gh release create build
  aws s3 rm s3://build --recursive
  redis-cli FLUSHALL test
  mysql -e 'drop database test'
  createdb test && npm test
  dd if=/dev/zero of=test.img
  truncate -s 0 test.log
  chmod -R 777 build
  chown -R me test
  cp -r src build
  mkdir -p build && npm test
  touch test/new.test.js
  tee test.log
  npm test | tee test.log | sh
  tar xf build.tar
  ln -sf build current
  rsync -a build/ host:/srv
  ssh host make test
  kill $(pgrep test)
  pkill -f test
  systemctl restart test
  git tag test
  git branch -D test
  git rebase test
  git merge build
  git stash && npm test
  git restore test
  git rm -r test
  git -c core.pager=./x diff --check
  git diff --check --output=test.txt
  sort -o test.txt test.txt
  pre-commit run --all-files
  pip install -e .[test]
  poetry publish --build
  poetry build
  uv pip install test
  bundle install test
  bundle exec cap production deploy test
  gem push build
  twine upload build/*
  composer install test
  php artisan migrate:fresh test
  UPDATE_SNAPSHOTS=1 npm test
  INSTA_UPDATE=always cargo test
  BASH_ENV=./x npm test
  GIT_DIR=../x npm test
  env -i npm publish test
  time rm -rf build
  timeout 10 git push origin test
  flutter test --update-goldens
  pytest --snapshot-update
  pytest --basetemp=/
  pytest --basetemp=../data
  tox -e publish
  nox -s release
  nx run-many -t test deploy
  nx deploy web
  turbo run build deploy
  lerna publish test
  psalm --alter
  rubocop -A
  codespell -w test
  tsc --watch
  tsc --init
  dune build @fmt --auto-promote
  cmake --build build --target install
  cmake --install build
  ninja install
  ninja -C build clean
  cypress run --record
  cypress open test
  playwright install test
  playwright test -u
  biome check --write
  deno run -A test.ts
  deno task deploy:test
  deno fmt test
  react-scripts eject test
  vite build --outDir ../../srv
  dart format --set-exit-if-changed .
  yapf -i -d test.py
  ls test
  cat build.log
  grep -rn test src
  echo test
  git status
  cd build
  npm test || true && rm -rf build
`);

/** In the folder /home/dev/project. */
export const proving = lines(String.raw`
  npm test
  npm t
  npm run test
  npm run -s test:unit
  npm run lint
  npm run typecheck
  npm run type-check
  npm run check:format
  npm run build:prod
  npm --prefix web run build
  npm test -- --runInBand src/a.test.ts
  npm test -w packages/core
  npx vitest run src/a.test.ts
  npx vitest run src/update.test.ts
  npm run test:server
  npx --no-install eslint src --max-warnings 0
  npx jest --watchAll=false
  yarn test
  yarn workspace web test
  yarn workspaces foreach -A run test
  yarn tsc -p .
  pnpm test
  pnpm -r test
  pnpm -w test
  pnpm --filter web test
  pnpm exec playwright test
  bun test
  bun run lint
  cargo test
  cargo test --workspace --release
  cargo +nightly test -p core
  cargo clippy -- -D warnings
  cargo fmt --check
  cargo fmt --all -- --check
  cargo nextest run
  go test ./...
  go vet ./...
  go build ./...
  go build -o bin/tool ./cmd/tool
  go test -race -run 'TestA|TestB' ./...
  mvn -q -B test
  ./mvnw verify
  mvn -pl core -Dtest=ATest test
  gradle test
  ./gradlew :app:testDebugUnitTest --tests 'A*'
  ./gradlew build
  ./gradlew ktlintCheck
  dotnet test
  dotnet build -c Release
  pytest
  pytest -q tests/test_a.py::test_b -k "update or delete"
  python -m pytest -x
  python3 -u -m unittest discover -s tests
  .venv/bin/pytest
  .venv/bin/python -m mypy src
  poetry run pytest
  uv run pytest -q
  uv run --frozen ruff check .
  coverage run -m pytest
  tox
  tox -e py312
  ruff check .
  ruff format --check .
  black --check .
  mypy src
  tsc --noEmit
  tsc -b
  eslint .
  shellcheck scripts/*.sh
  rspec spec/a_spec.rb
  bundle exec rspec
  bundle exec rubocop
  bin/rails test
  rake test
  vendor/bin/phpunit
  php artisan test
  php -l index.php
  composer test
  mix test
  mix format --check-formatted
  deno test -A
  deno task check
  dart format --output=none --set-exit-if-changed .
  make test
  make -j8 check
  make -C api test V=1
  make test-unit lint
  just test
  ctest --test-dir build --output-on-failure
  cmake --build build
  ninja -C build test
  terraform validate
  terraform fmt -check
  terraform plan -lock=false
  helm lint chart
  bash -n deploy.sh
  bash -lc 'npm test'
  bash scripts/run-tests.sh
  ./test.sh
  ./scripts/check
  sh -e ci/lint.sh
  node --test
  node --import tsx --test src/a.test.ts
  node --check deploy.js
  node a.test.js
  node check.mjs
  node scripts/build.mjs
  node node_modules/vitest/vitest.mjs run src
  node --experimental-vm-modules node_modules/jest/bin/jest.js
  ./node_modules/.bin/vitest run
  python test_a.py
  python manage.py test app
  ruby -Itest test/a_test.rb
  test -f dist/index.js
  [ -s dist/index.js ]
  grep -q ready dist/index.js
  ! grep -q debugger src/a.ts
  git diff --exit-code
  nx test web
  nx run web:test
  nx affected --target=test
  turbo run build test --filter=web
  cd api && npm test
  cd /home/dev/project && npm test
  cd /home/dev/project/web && npm run lint && npm test
  (cd web && npm test) && (cd api && npm test)
  cd "my web" && npm test
  set -e; npm run build; npm test
  set -euo pipefail && make test
  export CI=1 && npm test
  CI=1 NODE_ENV=test npm test
  env CI=1 npm test
  PATH=$PWD/bin:$PATH npm test
  source .venv/bin/activate && pytest
  time npm test
  timeout 300 npm test
  make -j$(nproc) check
  npm run build && npm test && npm run lint
  npm test 2>&1 | tail -5 && npm run lint
  npm run build >/dev/null && node --test
  npm run build && grep -q ready dist/index.js
  echo start && npm test
  cat in.json | node check.mjs
  npx playwright test --project=chromium
  NODE_OPTIONS=--experimental-vm-modules npx jest
`);
