hdl/tb/ga2_tb_pkg.sv
hdl/tb/ga2_tb_memory.sv
hdl/tb/ga2_tb_retire_log.sv
hdl/tb/ga2_tb_trace.sv
hdl/tb/ga2_tb_checks.sv
hdl/tb/ga2_tb_run_control.sv
hdl/tb/ga2_tb_bare.sv
hdl/tb/ga2_tb.sv
