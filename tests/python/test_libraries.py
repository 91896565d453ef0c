from backlit._libraries import remedy


def test_missing_libraries_have_a_remedy():
    message = "{}: cannot open shared object file: No such file or directory"
    assert "nvidia-cuda-runtime" in remedy(message.format("libcudart.so.13"))
    assert "libgl1" in remedy(message.format("libGL.so.1"))
    assert "libopengl0" in remedy(message.format("libOpenGL.so.0"))
    assert remedy(message.format("libother.so.1")) is None
