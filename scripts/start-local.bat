@echo off
rem Installs and builds the page when needed, then serves on this machine only. Every argument goes to "oncall serve".
setlocal
set "ROOT=%~dp0.."
set /p NODE_VERSION=<"%ROOT%\.node-version"
set "NODE_BIN=%ROOT%\.node\node_modules\node\bin"
if exist "%NODE_BIN%\node.exe" set "PATH=%NODE_BIN%;%PATH%"
node -e "process.exit(process.versions.node.split('.')[0] === '%NODE_VERSION:~0,2%' ? 0 : 1)" >nul 2>nul
if not errorlevel 1 goto packages

where npm >nul 2>nul || (echo Node %NODE_VERSION% or any npm is needed. Install Node.js from https://nodejs.org and run this again. & exit /b 1)
echo Fetching Node %NODE_VERSION% through npm, once, into .node ...
if not exist "%ROOT%\.node" mkdir "%ROOT%\.node"
>"%ROOT%\.node\package.json" echo {"private":true,"allowScripts":{"node":true}}
call npm install --prefix "%ROOT%\.node" --no-save --no-audit --no-fund --loglevel=error node@%NODE_VERSION% || exit /b 1
set "PATH=%NODE_BIN%;%PATH%"

:packages
node "%ROOT%\scripts\lib\packages-installed.ts" "%ROOT%"
if not errorlevel 1 goto page
echo Installing packages from package-lock.json ...
pushd "%ROOT%"
call npm ci --no-audit --no-fund --loglevel=error || (popd & exit /b 1)
popd

:page
node "%ROOT%\scripts\lib\page-built.ts" "%ROOT%"
if not errorlevel 1 goto serve
echo Building the page ...
pushd "%ROOT%"
call npm run --silent build -w @oncall-agent/frontend -- --logLevel warn || (popd & exit /b 1)
popd
node "%ROOT%\scripts\lib\page-built.ts" "%ROOT%" mark

:serve
node --disable-warning=ExperimentalWarning "%ROOT%\apps\backend\src\main.ts" serve %*
