-- Drives `overdub dap` by nvim-dap: a breakpoint, steps over and back, an expression, scopes, a changed variable, the end.
--
--     OVERDUB=… NVIM_DAP=… nvim --headless -u NONE -l session.lua

vim.opt.runtimepath:append(vim.env.NVIM_DAP)
local dap = require('dap')
local source = vim.fs.normalize(vim.fs.dirname(vim.fn.fnamemodify(arg[0], ':p')) .. '/../programs/walk.rs')
source = vim.uv.fs_realpath(source)

dap.adapters.overdub = { type = 'executable', command = vim.env.OVERDUB, args = { 'dap' } }

local stops, output, ended = 0, '', false
dap.listeners.after.event_stopped.test = function() stops = stops + 1 end
dap.listeners.before.event_output.test = function(_, body) output = output .. body.output end
dap.listeners.before.event_terminated.test = function() ended = true end

local function check(what, got, expected)
  if not vim.deep_equal(got, expected) then
    io.stderr:write(('FAILED  %s: %s instead of %s\n'):format(what, vim.inspect(got), vim.inspect(expected)))
    os.exit(1)
  end
  print('ok      ' .. what)
end

local function moves(what, move, line)
  local before = stops
  move()
  vim.wait(20000, function() return stops > before and dap.session().current_frame ~= nil and dap.session().current_frame.line == line end)
  check(what, dap.session().current_frame and dap.session().current_frame.line, line)
end

local function ask(command, arguments)
  local answer
  dap.session():request(command, arguments, function(error, response) answer = response or error end)
  vim.wait(20000, function() return answer ~= nil end)
  return answer
end

vim.cmd.edit(source)
vim.api.nvim_win_set_cursor(0, { 17, 0 })
dap.set_breakpoint('i == 1')

local launch = {
  type = 'overdub',
  request = 'launch',
  name = 'walk',
  source = source,
  ['function'] = 'walk',
  args = { 3, 2.0 },
}
moves('a condition of a breakpoint', function() dap.run(launch) end, 17)
moves('a step over', dap.step_over, 18)
moves('a step back', dap.step_back, 17)
local frame = dap.session().current_frame
check('an expression', ask('evaluate', { expression = 'xs[i] * 2.0', frameId = frame.id, context = 'hover' }).result, '4.0')
local locals = ask('scopes', { frameId = frame.id }).scopes[1]
local variables = ask('variables', { variablesReference = locals.variablesReference }).variables
local values = {}
for _, variable in ipairs(variables) do values[variable.name] = variable.value end
check('the variables', values, { i = '1', p = 'Point { x: 0.0, y: 4.0 }', xs = '[0.0, 2.0, 0.0]' })
local changed = { variablesReference = locals.variablesReference, name = 'xs', value = 'vec![0.0, 3.0, 0.0]' }
check('a change', ask('setVariable', changed).value, '[0.0, 3.0, 0.0]')
dap.clear_breakpoints()
dap.continue()
vim.wait(20000, function() return ended end)
check('the end', ended, true)
check('the output', output, 'step 0\nstep 1\nstep 2\n{"value":15.06225774829855}\n')
os.exit(0)
