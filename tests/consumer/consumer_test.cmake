# Installs the build into a scratch prefix, moves that elsewhere, builds the examples against it and runs them in
# another folder. Nothing installed may name the source or the build.
# cmake -DSOURCE=... -DBUILD=... -DSCRATCH=... -DVERSION=... -DGENERATOR=... -DCXX=... -P consumer_test.cmake
cmake_minimum_required(VERSION 3.25)
unset(ENV{BACKLIT_ASSETS})

function(run folder)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY "${folder}" RESULT_VARIABLE result OUTPUT_VARIABLE text
    ERROR_VARIABLE text)
  if(NOT result EQUAL 0)
    list(JOIN ARGN " " words)
    message(FATAL_ERROR "${words}\n${text}")
  endif()
  set(text "${text}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE "${SCRATCH}")
file(MAKE_DIRECTORY "${SCRATCH}/elsewhere")
run("${SCRATCH}" ${CMAKE_COMMAND} --install "${BUILD}" --prefix "${SCRATCH}/first")
file(RENAME "${SCRATCH}/first" "${SCRATCH}/prefix")

execute_process(COMMAND grep -rlF -e "${SOURCE}/" -e "${BUILD}/" -e "${SCRATCH}/first" "${SCRATCH}/prefix"
  RESULT_VARIABLE nothing_found OUTPUT_VARIABLE named)
if(NOT nothing_found EQUAL 1)
  message(FATAL_ERROR "Installed files name the source, the build or the first prefix:\n${named}")
endif()

set(configure ${CMAKE_COMMAND} -G "${GENERATOR}" "-DCMAKE_CXX_COMPILER=${CXX}" -DCMAKE_BUILD_TYPE=Release)
# run_example(NAME ARGUMENT...): builds examples/NAME against the installed copy and runs it elsewhere.
function(run_example name)
  file(COPY "${SOURCE}/examples/${name}/" DESTINATION "${SCRATCH}/${name}")
  # Files of one example together: most of the time goes into the library's headers.
  run("${SCRATCH}" ${configure} -S ${name} -B ${name}-build "-DCMAKE_PREFIX_PATH=${SCRATCH}/prefix" -DCMAKE_UNITY_BUILD=ON)
  run("${SCRATCH}" ${CMAKE_COMMAND} --build ${name}-build)
  run("${SCRATCH}/elsewhere" "${SCRATCH}/${name}-build/${name}" ${ARGN})
  message("${text}")
endfunction()
run_example(consumer head.mha cpu)
run_example(own_projector own.mha)
run_example(own_format own.plain)
run_example(own_method cpu iterations=40 relaxation=1.5)
file(SIZE "${SCRATCH}/elsewhere/head.mha" size)
if(size LESS 100000)
  message(FATAL_ERROR "head.mha has only ${size} bytes")
endif()
run("${SCRATCH}/elsewhere" "${SCRATCH}/prefix/bin/backlit" --version)
if(NOT text MATCHES "backlit ${VERSION}")
  message(FATAL_ERROR "the installed program calls itself: ${text}")
endif()
run("${SCRATCH}/elsewhere" "${SCRATCH}/prefix/bin/backlit" simulate --help)
if(NOT text MATCHES "forbild-head")
  message(FATAL_ERROR "the installed program does not find the phantoms beside it:\n${text}")
endif()

file(READ "${SCRATCH}/prefix/share/backlit/scans/fan.scan.toml" scan)
string(REGEX REPLACE "\nviews = [0-9]+" "\nviews = 30" scan "${scan}")
file(WRITE "${SCRATCH}/elsewhere/few.scan.toml" "${scan}")
run("${SCRATCH}/elsewhere" "${SCRATCH}/prefix/bin/backlit" simulate water-cylinder
  --scan few.scan.toml -o fan.npy --quiet)
run("${SCRATCH}/elsewhere" "${SCRATCH}/consumer-build/iterative" fan.scan.toml sirt.mha)
if(NOT text MATCHES "residual 0" OR NOT EXISTS "${SCRATCH}/elsewhere/sirt.mha")
  message(FATAL_ERROR "examples/consumer/iterative.cpp did not reconstruct:\n${text}")
endif()

run("${SCRATCH}" ${configure} -S "${SOURCE}/tests/consumer/subdirectory" -B subdirectory
  "-DBACKLIT_FOLDER=${SOURCE}" -DBACKLIT_CUDA=OFF)
file(REMOVE_RECURSE "${SCRATCH}")
